// Tests the scripts of the page without a browser: numbers, units, and bins against brute force.
'use strict';

const assert = require('node:assert');
const fs = require('node:fs');
const path = require('node:path');
const test = require('node:test');
const {folder, scriptNames, load} = require('./load.js');

const page = load(['Reader', 'formatDuration', 'formatInstant', 'formatTick', 'formatCount',
  'formatPercent', 'formatBytes', 'cutOf', 'measureEvents', 'measureLine', 'measureCover',
  'columnsIn', 'quantiles', 'compareCells', 'firstTouching', 'longestOf', 'prepare', 'findFirst',
  'formatSample', 'spans']);

// A random generator with the same numbers in every run.
function dice(seed) {
  let x = seed;

  return (n) => {
    x = (Math.imul(x, 1103515245) + 12345) >>> 0;
    return Math.floor(x / 4294967296 * n);
  };
}

test('the scripts hold what a reader can check', () => {
  for (const name of scriptNames()) {
    const text = fs.readFileSync(path.join(folder, name), 'utf8');

    assert.match(text, /^\/\/ [A-Z]/, `${name} begins with what it is for`);
    for (const [i, line] of text.split('\n').entries())
      assert.ok(line.length <= 100 && !/\s$/.test(line), `${name}:${i + 1}`);
    for (const word of ['innerHTML', 'outerHTML', 'insertAdjacentHTML', 'document.write', 'eval(',
      'fetch(', 'XMLHttpRequest', 'import(', '</script', '<!--'])
      assert.ok(!text.includes(word), `${name}: ${word}`);
  }
});

test('LEB128 and zigzag', () => {
  const bytes = Uint8Array.from([0, 127, 128, 1, 255, 255, 255, 255, 255, 255, 255, 15, 0, 1, 2, 3]);
  const reader = new page.Reader(bytes, 0);

  assert.deepStrictEqual([reader.uint(), reader.uint(), reader.uint(), reader.uint()],
    [0, 127, 128, 2 ** 53 - 1]);
  assert.deepStrictEqual([reader.int(), reader.int(), reader.int(), reader.int()], [0, -1, 1, -2]);
});

test('units are those of the terminal', () => {
  const durations = {0: '0 ns', 999: '999 ns', 1000: '1.00 µs', 9995: '10.0 µs', 999499: '999 µs',
    999500: '1.00 ms', 61200000: '61.2 ms', 999500000: '1.00 s', 43300000000: '43.3 s',
    1234567000000: '1235 s'};

  for (const [ns, text] of Object.entries(durations))
    assert.strictEqual(page.formatDuration(Number(ns)), text);
  assert.strictEqual(page.formatInstant('155382104882'), '155.382 104 882 s');
  assert.strictEqual(page.formatInstant('-1'), '-0.000 000 001 s');
  assert.strictEqual(page.formatInstant(2n ** 63n - 1n), '9223372036.854 775 807 s');
  assert.strictEqual(page.formatTick(155370000000n, 10000000n), '155.37 s');
  assert.strictEqual(page.formatTick(5000000000n, 5000000000n), '5 s');
  assert.strictEqual(page.formatCount(1234567), '1 234 567');
  assert.strictEqual(page.formatPercent(0, 10), '0.0 %');
  assert.strictEqual(page.formatPercent(1, 1000000), '<0.1 %');
  assert.strictEqual(page.formatPercent(99999, 100000), '99.9 %');
  assert.strictEqual(page.formatPercent(5, 5), '100.0 %');
  assert.strictEqual(page.formatPercent(5, 0), '-');
  assert.strictEqual(page.formatBytes(1536), '1.5 KiB');
  assert.strictEqual(page.formatBytes(20), '20 B');
});

test('samples are those of the terminal', () => {
  const text = (value, line) => page.formatSample(value, {unit: '', bytes: false, ...line});

  assert.strictEqual(text(999999, {}), '999999');
  assert.strictEqual(text(1000000, {}), '1 M');
  assert.strictEqual(text(1410, {unit: 'Hz'}), '1.41 kHz');
  assert.strictEqual(text(37, {unit: '%'}), '37 %');
  assert.strictEqual(text(-5, {bytes: true}), '-5');
  assert.strictEqual(text(3072, {bytes: true}), '3.0 KiB');
});

test('cuts ascend, meet the ends, and nest', () => {
  for (const [t0, t1, n] of [[0, 1000, 7], [5, 6, 3], [123, 968874671, 4096]]) {
    assert.strictEqual(page.cutOf(t0, t1, 0, n), t0);
    assert.strictEqual(page.cutOf(t0, t1, n, n), t1);
    for (let i = 0; i < n; i++) {
      assert.ok(page.cutOf(t0, t1, i, n) <= page.cutOf(t0, t1, i + 1, n));
      assert.strictEqual(page.cutOf(t0, t1, i, n), page.cutOf(t0, t1, 2 * i, 2 * n));
    }
  }
});

// Events of a lane that never overlap; some are instants.
function rollEvents(roll, n) {
  const events = {n, start: [], end: [], before: [0], title: []};

  for (let i = 0, t = 0; i < n; i++) {
    const duration = roll(5) ? roll(40) : 0;

    events.start.push(t += roll(30) + 1);
    events.end.push(t += duration);
    events.before.push(events.before[i] + duration);
    events.title.push(roll(4));
  }
  return events;
}

test('bins equal brute force, at any window', () => {
  const roll = dice(7);

  for (let round = 0; round < 300; round++) {
    const events = rollEvents(roll, roll(600));
    const c0 = roll(9000);
    const c1 = c0 + 1 + roll(9000);
    const at = page.measureEvents(events, c0, c1);
    const touching = [...events.start.keys()].filter((i) => events.start[i] < c1 &&
      Math.max(events.end[i], events.start[i] + 1) > c0);
    const length = (i) => events.end[i] - events.start[i];

    assert.strictEqual(at.events, touching.length);
    assert.strictEqual(at.busy, touching.reduce((sum, i) =>
      sum + Math.max(0, Math.min(events.end[i], c1) - Math.max(events.start[i], c0)), 0));
    assert.strictEqual(at.longest, touching.reduce((best, i) =>
      best < 0 || length(i) > length(best) ? i : best, -1));
  }
});

test('columns of the whole add up without counting an event twice', () => {
  const roll = dice(3);
  const events = rollEvents(roll, 400);
  const meta = {length: events.end[399], columns: 64, hasEvents: true, detail: [0, 0], titles: [],
    lines: []};
  const columns = {busy: [], starts: [], title: [], longest: []};

  page.prepare(meta);

  for (let i = 0; i < 64; i++) {
    const c0 = page.cutOf(0, meta.length, i, 64);
    const at = page.measureEvents(events, c0, page.cutOf(0, meta.length, i + 1, 64));
    const enters = at.events > 0 && events.start[at.first] < c0;

    columns.busy.push(at.busy);
    columns.starts.push(2 * (at.events - enters) + enters);
    columns.title.push(at.longest < 0 ? 0 : events.title[at.longest] + 1);
    columns.longest.push(at.longest < 0 ? 0 : events.end[at.longest] - events.start[at.longest]);
  }
  for (let round = 0; round < 300; round++) {
    const i = roll(64);
    const j = i + 1 + roll(64 - i);
    const t0 = page.cutOf(0, meta.length, i, 64);
    const t1 = page.cutOf(0, meta.length, j, 64);
    const sums = page.measureLine({columns}, t0, t1);
    const exact = page.measureEvents(events, t0, t1);

    assert.deepStrictEqual([sums.t0, sums.t1, sums.busy, sums.events],
      [t0, t1, exact.busy, exact.events]);
    assert.strictEqual(sums.longest,
      exact.longest < 0 ? 0 : events.end[exact.longest] - events.start[exact.longest]);
  }
});

test('covers', () => {
  const cover = {n: 2, start: [10, 30], end: [20, 35], before: [0, 10, 15]};

  assert.strictEqual(page.measureCover(cover, 0, 100), 15);
  assert.strictEqual(page.measureCover(cover, 15, 32), 7);
  assert.strictEqual(page.measureCover(cover, 20, 30), 0);
  assert.strictEqual(page.measureCover(undefined, 0, 100), 0);
});

test('quantiles and the order of cells', () => {
  const at = page.quantiles('x', [4, 1, 3, 2]);

  assert.deepStrictEqual(at, {name: 'x', count: 4, total: 10, mean: 2.5, longest: 4, median: 2.5,
    p95: 4});
  assert.ok(page.compareCells(9, 10) < 0);
  assert.ok(page.compareCells('layer9', 'layer10') < 0);
  assert.ok(page.compareCells(null, 1) > 0);
});
