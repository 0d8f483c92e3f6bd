#!/bin/sh
# The official clients of the Model Context Protocol, of both lines, list and call every tool. Skipped without npm or its registry.
. "$(dirname "$0")/lib.sh"

command -v node >/dev/null && command -v npm >/dev/null || { echo "SKIPPED: no node and npm"; exit 77; }
rm -rf work && mkdir work && cd work || exit 1
timeout 120 npm install --no-audit --no-fund --ignore-scripts @modelcontextprotocol/sdk@1 @modelcontextprotocol/client@2 >npm 2>&1 ||
    { echo "SKIPPED: npm installs no client: $(tail -1 npm)"; exit 77; }
expect 0 "$program" generate --kernels 600 a.sqlite
cat >client.mjs <<'EOF'
const [program, line, mode] = process.argv.slice(2);
const at = line === '1' ? '@modelcontextprotocol/sdk/client/' : '@modelcontextprotocol/client';
const { Client } = await import(line === '1' ? at + 'index.js' : at);
const { StdioClientTransport } = await import(line === '1' ? at + 'stdio.js' : at + '/stdio');
const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
await client.connect(new StdioClientTransport({ command: program, args: ['mcp', 'a.sqlite'] }));
const { tools } = await client.listTools();
console.log('version', client.getNegotiatedProtocolVersion?.() ?? 'with a handshake');
const given = { ask: { question: 'why is it idle?' }, answer: { name: 'idle' }, query: { sql: 'SELECT count(*) AS n FROM kernel' },
    diff: { before: 'a.sqlite', after: 'a.sqlite' } };
for (const { name } of tools) {
    const result = await client.callTool({ name, arguments: given[name] ?? {} });
    console.log(name, result.isError, Object.keys(result.structuredContent ?? {})[0]);
}
const wrong = await client.callTool({ name: 'answer', arguments: { name: 'idel' } });
console.log('wrong', wrong.isError, wrong.content[0].text.includes('the nearest: idle'));
await client.close();
EOF
# client LINE MODE VERSION
client() {
    expect 0 node client.mjs "$program" "$1" "$2"
    prints "version $3"
    for tool in open findings ask answer query diff info; do prints "$tool false schema"; done
    prints "picture false screen"
    prints "wrong true true"
}
client 1 legacy "with a handshake"
client 2 legacy 2025-11-25
client 2 auto 2026-07-28
finish
