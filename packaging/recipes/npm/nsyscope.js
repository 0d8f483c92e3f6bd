#!/usr/bin/env node
// Runs the static program for this processor.
const path = require("path");
const { spawnSync } = require("child_process");
const file = path.join(__dirname, "nsyscope-" + (process.arch === "arm64" ? "aarch64" : "x86_64"));
const result = spawnSync(file, process.argv.slice(2), { stdio: "inherit" });
if (result.error) {
  console.error("nsyscope: " + result.error.message);
  process.exit(2);
}
if (result.signal) process.kill(process.pid, result.signal);
process.exit(result.status);
