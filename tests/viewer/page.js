// Tests the page in a real browser: node page.js NSYSCOPE CHROMIUM FOLDER. The exit status is 0 if all checks passed.
'use strict';

const {execFileSync} = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const {pathToFileURL} = require('node:url');
const {Chrome} = require('./chrome.js');
const {scriptNames, folder: scripts, load, readPage} = require('./load.js');
const {formatBytes} = load(['formatBytes']);

const [program, chromium, folder] = process.argv.slice(2);
const fixtures = path.join(__dirname, '../fixtures');
let failures = 0;

function check(is, what) {
  if (!is)
    console.log(`FAILED: ${what}`);
  failures += !is;
}

function equal(a, b, what) {
  check(JSON.stringify(a) === JSON.stringify(b), `${what}: ${JSON.stringify(a)}, not ` +
    JSON.stringify(b));
}

// Waits until the expression is true.
async function holds(page, expression, what) {
  await page.until(expression).catch(() => check(false, what));
}

function run(...words) {
  return execFileSync(program, words, {encoding: 'utf8', maxBuffer: 1 << 28,
    env: {...process.env, XDG_STATE_HOME: path.join(folder, 'state')}});
}

function file(name) {
  return path.join(folder, name);
}

// Makes an export from files of SQL.
function makeExport(name, ...sources) {
  const sql = sources.map((source) => fs.readFileSync(path.join(fixtures, source), 'utf8')).join('');

  fs.rmSync(file(name), {force: true});
  execFileSync('sqlite3', [file(name)], {input: sql});
}

function makePage(source, name, ...options) {
  run('viewer', file(source), '-o', file(name), '--force', ...options);
  return pathToFileURL(file(name)).href;
}

// ---- figures: the page, bins and summary agree ----

async function figures(page, source) {
  const lines = await page.value(`nsyscope.meta.lines.filter((line) => line.kind === 'lane' &&
    line.events.n).slice(0, 4).map((line) => ({index: line.index, lane: line.lane}))`);
  const columns = 7;
  let compared = 0;

  for (const line of lines) {
    const bins = JSON.parse(run('bins', file(source), '--lane', String(line.lane), '--columns',
      String(columns), '--json')).sheets[0].rows;
    const shown = await page.value(`(() => { const m = nsyscope.meta, out = [];
      for (let i = 0; i < ${columns}; i++) {
        const at = nsyscope.measureLine(m.lines[${line.index}],
          nsyscope.cutOf(0, m.length, i, ${columns}), nsyscope.cutOf(0, m.length, i + 1, ${columns}));
        out.push([at.busy, at.events, at.longest, at.title < 0 ? '' : m.titles[at.title].brief]);
      }
      return out; })()`);

    bins.forEach((bin, i) => {
      equal(shown[i].slice(0, 3), [bin.busy_ns, bin.events, bin.longest_ns],
        `lane ${line.lane} column ${i}`);
      compared++;
    });
  }
  const summary = JSON.parse(run('summary', file(source), '--format', 'json')).sheets[0].rows;
  const idle = JSON.parse(run('skill', 'run', 'breakdown', file(source), '--format', 'json'));
  const devices = await page.value(`nsyscope.meta.lines.filter((line) => line.covers).map((line) =>
    nsyscope.measureDevice(line, 0, nsyscope.meta.length))`);
  const table = await page.value(`nsyscope.meta.panes.find((pane) => pane.key === 'summary')
    .sheets[0]`);

  equal(table.rows.length, summary.length, 'rows of the summary');
  summary.forEach((row, r) => table.columns.forEach((column, c) => {
    equal(table.rows[r][c], row[column.key], `summary ${column.key}`);
    compared++;
  }));
  idle.sheets[0].rows.slice(0, devices.length).forEach((row, d) => {
    for (const [key, value] of [['busy_ns', devices[d].busy], ['compute_ns', devices[d].compute]])
      if (row[key] !== undefined) {
        equal(value, row[key], `device ${d} ${key}`);
        compared++;
      }
  });
  check(compared >= 20, `only ${compared} figures compared`);
  console.log(`${compared} figures equal those of bins, summary and breakdown`);
}

// Grid, block, registers and shared memory of kernels equal those of the export.
function shapes(name, source) {
  const meta = readPage(file(name));
  const sql = 'SELECT rowid, gridX || \',\' || gridY || \',\' || gridZ || \'|\' || blockX || \',\' || ' +
    'blockY || \',\' || blockZ || \'|\' || registersPerThread || \'|\' || staticSharedMemory || ' +
    '\'|\' || dynamicSharedMemory FROM CUPTI_ACTIVITY_KIND_KERNEL';
  const wanted = new Map(execFileSync('sqlite3', ['-separator', ' ', file(source), sql],
    {encoding: 'utf8', maxBuffer: 1 << 28}).trim().split('\n').map((row) => row.split(' ')));
  let compared = 0;

  for (const line of meta.lines)
    for (let i = 0; line.of === 'stream' && line.events && i < line.events.n; i++) {
      const shape = meta.shapes[line.events.shape[i]];

      if (!shape.startsWith('grid'))
        continue;
      const [grid, block, registers, ...memory] =
        wanted.get(String(line.events.source[i] - 1)).split('|');

      equal(shape.trim().split('\n').map((pair) => pair.split('\t')[1]),
        [grid, block, registers, ...memory.map((each) => formatBytes(Number(each)))], 'launch shape');
      compared++;
    }
  check(compared === wanted.size, `${compared} of ${wanted.size} launch shapes compared`);
}

// Returns the samples of each counter, by row of the export: ["ns=value", ...].
function samplesOf(source, ...options) {
  const counters = new Map();

  for (const {ph, tid, ts, args} of JSON.parse(run('export', file(source), '--to', 'chrome',
    ...options)).traceEvents)
    if (ph === 'C')
      counters.set(tid - 1, [...counters.get(tid - 1) || [], `${Math.round(ts * 1000)}=${args.value}`]);
  return counters;
}

// A page holds every sample of the export; if it holds only columns, at least some samples of each counter.
function holdsSamples(name, source, ...options) {
  const meta = readPage(file(name));
  const wanted = samplesOf(source, ...options);
  const lines = meta.lines.filter((line) => line.kind === 'counter');
  let compared = 0;

  equal(lines.map((line) => line.track).sort(), [...wanted.keys()].sort(), `${name}: counters`);
  for (const {track, label, samples} of lines) {
    const held = [...samples.time].map((time, i) => `${time}=${samples.value[i]}`);

    equal(held, meta.hasEvents ? wanted.get(track) :
      wanted.get(track).filter((each) => held.includes(each)), `${name}: samples of ${label}`);
    compared += held.length;
  }
  check(compared > lines.length && lines.length, `${name}: only ${compared} samples`);
  console.log(`${name}: ${compared} samples of ${lines.length} counters are those of the export`);
}

// A page of a window holds exactly the events of the export that touch it.
function holdsWindow(name, source, t0, t1) {
  const meta = readPage(file(name));
  const tables = {kernel: 'CUPTI_ACTIVITY_KIND_KERNEL', 'CUDA runtime call': 'CUPTI_ACTIVITY_KIND_RUNTIME',
    'NVTX range': 'NVTX_EVENTS'};
  let compared = 0;

  for (const [kind, table] of Object.entries(tables)) {
    const wanted = execFileSync('sqlite3', ['-separator', ' ', file(source), `SELECT rowid, start, end
      FROM ${table} WHERE end > ${t0} AND start < ${t1}
      ${table === 'NVTX_EVENTS' ? 'AND eventType = 59' : ''} ORDER BY rowid`],
    {encoding: 'utf8', maxBuffer: 1 << 28}).trim().split('\n');
    const held = [];

    for (const {kind: lineKind, events} of meta.lines)
      for (let i = 0; lineKind === 'lane' && events && i < events.n; i++)
        if (meta.kinds[meta.titles[events.title[i]][1]] === kind)
          held.push([events.source[i] - 1, Number(meta.origin) + events.start[i],
            Number(meta.origin) + events.end[i]]);
    equal(held.sort((a, b) => a[0] - b[0]).map((each) => each.join(' ')), wanted,
      `${name}: ${kind} in the window`);
    compared += held.length;
  }
  console.log(`${name}: ${compared} events of the window are those of the export`);
}

// The page opens with the cursor on the event where the terminal's is, in the first steady iteration.
async function opened(page, source) {
  const time = await page.value(`document.getElementById('status').textContent.split(' · ')[2]`);
  const shown = run('render', file(source), '--size', '120x30').trimEnd().split('\n').pop();

  check(shown.endsWith(` ${time}`), `opens at ${time}, the screen at ${shown.slice(-20)}`);
  check(await page.value('nsyscope.state.cursor > nsyscope.meta.iterations[0][0]'),
    'opens after the warm-up');
}

// ---- actions of a user ----

async function use(page) {
  const view = () => page.value('[nsyscope.state.view.t0, nsyscope.state.view.t1]');
  const box = await page.value(`(({x, y, width, height}) => ({x, y, width, height}))(
    document.getElementById('rows').getBoundingClientRect())`);
  const whole = await view();

  await page.value('document.getElementById("timeline").focus()');
  await page.key('+');
  const zoomed = await view();
  check(zoomed[1] - zoomed[0] < whole[1] - whole[0], '+ zooms in');
  await page.key('ArrowRight', {modifiers: 8});
  check((await view())[0] > zoomed[0], 'Shift and Right pan');
  await page.key('u');
  equal(await view(), zoomed, 'u undoes');
  await page.key('0');
  equal(await view(), whole, '0 shows the whole');
  await page.key('Tab');
  await holds(page, 'nsyscope.state.event !== null', 'Tab selects an event');
  await holds(page, 'document.querySelector("#pane dl").textContent.includes("duration")',
    'details of the event are shown');
  await holds(page, 'document.getElementById("status").textContent.length > 10', 'the status line names it');
  check(/event=\d+/.test(await page.value('location.hash')), 'the link holds the event');
  const link = await page.value('location.hash');

  await page.send('Input.dispatchMouseEvent', {type: 'mouseWheel', x: box.x + 300, y: box.y + 60,
    deltaX: 0, deltaY: -240});
  await page.settle();
  await holds(page, `nsyscope.state.view.t1 - nsyscope.state.view.t0 < ${whole[1] - whole[0]}`,
    'the wheel zooms');
  await page.key('0');
  await page.mouse('mousePressed', box.x + 100, box.y + 30, {buttons: 1});
  await page.mouse('mouseMoved', box.x + 300, box.y + 90, {buttons: 1});
  await page.mouse('mouseReleased', box.x + 300, box.y + 90);
  await page.settle();
  await holds(page, 'nsyscope.state.range && nsyscope.state.pane === "selection"', 'a drag selects an area');
  await holds(page, `[...document.querySelectorAll('#pane caption')].some((caption) =>
    caption.textContent.startsWith('By name'))`, 'and shows its statistics');
  await page.key('Escape');
  await page.value('nsyscope.showPane("selection")');
  const [shown, counted] = await page.value(`[document.querySelectorAll('#pane dd')[2].textContent,
    nsyscope.state.shown.filter((line) => line.kind === 'lane').reduce((sum, line) => sum +
      nsyscope.measureLine(line, 0, nsyscope.meta.length).events, 0)]`);

  equal(Number(shown.replaceAll(' ', '')), counted, 'events of the window, each once');
  await page.click(box.x + 200, box.y + 10);
  await page.key('/');
  await page.value(`document.getElementById('find').value = nsyscope.meta.titles[0].brief.slice(0, 4)`);
  await page.key('Enter', {text: '\r'});
  await holds(page, 'nsyscope.state.hits.length > 0 && nsyscope.state.event !== null', 'finds');
  await page.value('document.getElementById("timeline").focus()');
  const hit = await page.value('nsyscope.state.event.number');

  await page.key('n');
  await holds(page, `nsyscope.state.hits.length === 1 || nsyscope.state.event.number !== ${hit}`,
    'n goes to the next hit');
  return link;
}

// Each table sorts by its headings; every control has a name.
async function readable(page) {
  equal(await page.value(`(async () => {
    const out = [];
    for (const pane of nsyscope.meta.panes) {
      nsyscope.showPane(pane.key);
      for (const head of document.querySelectorAll('#pane th button')) {
        head.click();
        if (!['ascending', 'descending'].includes(head.parentNode.getAttribute('aria-sort')))
          out.push(pane.key + ': ' + head.textContent);
      }
      if (pane.sheets.length !== document.querySelectorAll('#pane caption').length)
        out.push(pane.key + ': a table without a caption');
    }
    return out; })()`), [], 'tables');
  equal(await page.value(`[...document.querySelectorAll('button, canvas, input, [tabindex="0"]')]
    .filter((each) => !(each.getAttribute('aria-label') || each.textContent ||
      each.getAttribute('aria-labelledby'))).map((each) => each.outerHTML)`), [], 'without a name');
  await page.value('document.getElementById("timeline").focus()');
  await page.key('F6');
  check(await page.value('document.getElementById("labels").contains(document.activeElement)'),
    'F6 goes to the labels');
  await page.key('F6');
  equal(await page.value('document.activeElement.getAttribute("role")'), 'tab', 'F6 goes to the tabs');
  await page.key('ArrowRight');
  equal(await page.value('document.activeElement.getAttribute("aria-selected")'), 'true',
    'arrows move between tabs');
}

// For printing the canvas is light and as high as its labels.
async function paper(page) {
  const sizes = () => page.value(`[document.documentElement.className, nsyscope.state.theme, ...['rows',
    'scroller'].map((id) => document.getElementById(id).clientHeight), document.getElementById('rows')
    .height]`);
  const before = await sizes();

  await page.value('window.dispatchEvent(new Event("beforeprint"))');
  const [theme, , rows, scroller, drawn] = await sizes();

  equal([theme, rows, drawn], ['light', scroller, scroller], 'the timeline on paper');
  equal(await page.value(`nsyscope.meta.panes.filter(({key}) => (nsyscope.showPane(key),
    [...document.querySelectorAll('.wide')].some((each) => each.scrollWidth > each.clientWidth)))
    .map(({key}) => key)`), [], 'panes with tables that are cut on paper');
  await page.value('window.dispatchEvent(new Event("afterprint"))');
  equal(await sizes(), before, 'the timeline after printing');
}

// A taller window shows the new rows at once, unstretched and with their shares.
async function resized(page) {
  await page.settle();
  const {box, drawn, now, later} = await page.value(`(async () => {
    const [rows, labels, pane] = ['rows', 'labels', 'pane'].map((id) => document.getElementById(id));
    const shares = () => [...labels.children].slice(0, Math.floor(rows.clientHeight / 20))
      .map((each) => each.firstChild.lastChild.textContent);

    pane.style.display = 'none';
    [...labels.children].forEach((each) => { each.firstChild.lastChild.textContent = ''; });
    await new Promise((done) => new ResizeObserver(done).observe(rows));
    const [box, drawn, now] = [rows.clientHeight, rows.height, shares()];

    window.dispatchEvent(new Event('afterprint'));
    const later = shares();

    pane.style.display = '';
    return {box, drawn, now, later}; })()`);

  equal(drawn, box, 'the canvas after a new size');
  check(later.some((share) => share !== ''), 'shares');
  equal(now, later, 'shares after a new size');
  await page.settle();
}

// The elements of the document, without the data; names in it must not change them.
function shapeOf(html) {
  return (html.replace(/id="data">[^<]*</, 'id="data"><').match(/<[a-z!/][^>]*>/gi) || []).join('\n')
    .replace(/.*/, (first) => first);
}

async function frames(page) {
  return page.value(`(async () => {
    const times = [], {meta, show, pan, zoom, draw} = nsyscope;
    show(0, meta.length);
    for (let i = 0; i < 90; i++) {
      await new Promise(requestAnimationFrame);
      const before = performance.now();
      if (i % 2) zoom(i < 45 ? 0.8 : 1.25, meta.length / 3); else pan(meta.length / 500);
      draw();
      times.push(performance.now() - before);
    }
    times.sort((a, b) => a - b);
    return {events: meta.events, median: times[45], p95: times[85], worst: times[89]}; })()`);
}

async function main() {
  const chrome = new Chrome(chromium);

  try {
    run('generate', file('made.sqlite'), '--kernels', '6000', '--force');
    makeExport('plain.sqlite', 'two_streams.sql');
    makeExport('hostile.sqlite', 'two_streams.sql', 'hostile_names.sql');
    const made = makePage('made.sqlite', 'made.html');
    const page = await chrome.open(made, 1280, 800, 'dark');

    await page.settle();
    equal(await page.value('nsyscope.state.pane'), 'findings', 'the first pane');
    await opened(page, 'made.sqlite');
    await figures(page, 'made.sqlite');
    shapes('made.html', 'made.sqlite');
    projectedNames('made.html');
    holdsSamples('made.html', 'made.sqlite');
    const link = await use(page);

    await readable(page);
    await paper(page);
    await resized(page);
    await page.screenshot(file('dark-1280.png'));
    equal(page.errors(), [], 'errors of the console');
    const again = await chrome.open(made + link, 390, 844, 'light');

    await again.settle();
    check(await again.value('nsyscope.state.event !== null'), 'the link restores the event');
    check(await again.value('document.documentElement.scrollWidth <= 390'), 'fits a telephone');
    check(await again.value('document.querySelector("header").offsetHeight <= 60'),
      'the header of a telephone has at most two lines');
    await again.value('nsyscope.showPane("kernels")');
    equal(await again.value(`(([head, cell]) => [head.textContent, cell.offsetWidth > 150,
      cell.scrollWidth <= cell.clientWidth])(['th', 'td'].map((name) =>
      document.querySelector('#pane ' + name)))`), ['Kernel', true, true],
    'the name of a kernel on a telephone');
    equal(await again.value(`(({title, textContent}) => title === textContent)(
      document.querySelector('#pane td'))`), true, 'a cell that is cut shows its text');
    await again.screenshot(file('light-390.png'));
    equal(again.errors(), [], 'errors of the console at 390x844');
    await others(chrome);
    await hostile(chrome);
    await several(chrome);
    await parts(chrome);
    await fast(chrome);
    const size = scriptNames().reduce((sum, name) =>
      sum + fs.statSync(path.join(scripts, name)).size, 0);

    console.log(`scripts: ${size} bytes; page of 6000 kernels: ${fs.statSync(file('made.html')).size}`);
  } finally {
    await chrome.close();
  }
  console.log(failures ? `${failures} failures` : 'all as expected');
  process.exitCode = failures ? 1 : 0;
}

// A picture of a screen fits a window, or scrolls in it; long names do not widen pages of sessions and reports.
async function others(chrome) {
  const long = `${'a_long_name_'.repeat(6)}.sqlite`;

  fs.writeFileSync(file('screen.html'), run('render', file('made.sqlite'), '--size', '140x40', '--format',
    'html'));
  fs.copyFileSync(file('made.sqlite'), file(long));
  execFileSync('sqlite3', [file(long)], {input: `UPDATE StringIds SET value = '${'kernel_'.repeat(40)}'
    WHERE id IN (SELECT shortName FROM CUPTI_ACTIVITY_KIND_KERNEL)`});
  for (const old of ['marks.json', 'report'])
    fs.rmSync(file(old), {recursive: true, force: true});
  run('bookmarks', file(long), 'add', '--at', '20ms', '--bookmarks', file('marks.json'));
  run('bookmarks', file(long), 'add', '--range', '1ms', '60ms', '--bookmarks', file('marks.json'));
  run('session', file(long), '-o', file('session.html'), '--bookmarks', file('marks.json'), '--force');
  run('report', file(long), '--out', file('report'), '--html');
  for (const [name, width, fits] of [['screen.html', 1280, true], ['screen.html', 390, false],
    ['session.html', 390], ['report/report.html', 390]]) {
    const page = await chrome.open(pathToFileURL(file(name)).href, width, 844, 'light');

    check(await page.value(`document.documentElement.scrollWidth <= ${width}`),
      `${name} is not wider than ${width}`);
    if (fits !== undefined)
      equal(await page.value(`(({scrollWidth, clientWidth}) => scrollWidth <= clientWidth)(
        document.querySelector('pre'))`), fits, `${name} fits a window of ${width}`);
    equal(page.errors(), [], `errors of the console of ${name}`);
  }
}

// A row of projected ranges names the thread and the depth of its ranges.
function projectedNames(name) {
  const {lines} = readPage(file(name));
  const lineAt = lines.flatMap((line) => line.events ? Array(line.events.n).fill(line) : []);
  const rows = lines.filter((line) => line.kind === 'projected' && line.events.n);

  for (const {label, events} of rows) {
    const range = lineAt[events.link[0] - 1];
    const [, thread] = / thread (\d+)/.exec(lines.find((line) => line.track === range.group).label);

    equal(label, `${range.label} t${thread}`, 'label of projected ranges');
  }
  check(rows.length > 1, 'projected ranges');
}

async function hostile(chrome) {
  makePage('plain.sqlite', 'plain.html');
  const page = await chrome.open(makePage('hostile.sqlite', 'hostile.html'), 1280, 800, 'dark');

  await page.settle();
  equal(shapeOf(fs.readFileSync(file('hostile.html'), 'utf8')),
    shapeOf(fs.readFileSync(file('plain.html'), 'utf8')), 'the shape of a page with hostile names');
  await readable(page);
  await page.value('nsyscope.showPane("iterations")');
  equal(await page.value('[document.querySelectorAll("#pane th").length, ' +
    'document.querySelector("#pane .note").textContent]'), [0, 'Nothing found.'], 'an empty table');
  equal(await page.value('document.querySelectorAll("script").length'), 2, 'scripts');
  equal(page.errors(), [], 'errors of the console with hostile names');
}

// A page of two exports has the bookmark of the second, which begins half a millisecond later, on the axis of the first.
async function several(chrome) {
  fs.copyFileSync(file('made.sqlite'), file('second.sqlite'));
  execFileSync('sqlite3', [file('second.sqlite')],
    {input: 'UPDATE TARGET_INFO_SESSION_START_TIME SET utcEpochNs = utcEpochNs + 500000'});
  fs.rmSync(file('state'), {recursive: true, force: true});
  run('bookmarks', file('second.sqlite'), 'add', '--at', '20ms', '--name', 'of the second');
  run('viewer', file('made.sqlite'), file('second.sqlite'), '-o', file('two.html'), '--force');
  const page = await chrome.open(pathToFileURL(file('two.html')).href, 1280, 800, 'dark');

  await page.settle();
  equal(await page.value(`nsyscope.meta.bookmarks.map(({title, time}) =>
    [title, time + Number(nsyscope.meta.origin)])`), [['of the second', 20500000]], 'bookmarks of two');
  await page.value('nsyscope.showPane("bookmarks"); document.querySelector("#pane li button").click()');
  equal(await page.value('nsyscope.state.range.t0 + Number(nsyscope.meta.origin)'), 20500000,
    'a bookmark leads to its time');
  equal(page.errors(), [], 'errors of the console with two exports');
}

// A page of a time window, and a page whose events exceed the size budget.
async function parts(chrome) {
  const page = await chrome.open(makePage('made.sqlite', 'part.html', '--window', '20ms', '40ms'),
    1280, 800, 'dark');
  const cut = await chrome.open(makePage('made.sqlite', 'cut.html', '--max-size', '300K'), 1280, 800,
    'dark');

  await page.settle();
  check(await page.value('nsyscope.meta.hasEvents && nsyscope.meta.columns > 0'), 'a window');
  holdsWindow('part.html', 'made.sqlite', 20000000, 40000000);
  holdsSamples('part.html', 'made.sqlite', '--window', '20ms', '40ms');
  holdsSamples('cut.html', 'made.sqlite');
  makePage('made.sqlite', 'trim.html', '--trim', '0.02', '0.04');
  holdsWindow('trim.html', 'made.sqlite', 20000000, 40000000);
  makePage('made.sqlite', 'filter.html', '--filter', 'no such name');
  equal(readPage(file('filter.html')).lines.filter((each) => each.covers).map((each) => each.covers),
    readPage(file('made.html')).lines.filter((each) => each.covers).map((each) => each.covers),
    'a filter does not change how busy a device is');
  fs.copyFileSync(file('made.sqlite'), file('deep.sqlite'));
  execFileSync('sqlite3', [file('deep.sqlite')], {input: `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL
    SELECT i + 1 FROM n WHERE i < 299) INSERT INTO NVTX_EVENTS (start, end, eventType, text, globalTid,
    domainId) SELECT 21000000 + i, 22000000 - i, 59, 'level ' || i, 281542085578700, 0 FROM n`});
  makePage('deep.sqlite', 'deep.html', '--window', '20ms', '40ms');
  holdsWindow('deep.html', 'deep.sqlite', 20000000, 40000000);
  await page.key('0');
  equal(page.errors(), [], 'errors of the console with a window');
  check(fs.statSync(file('cut.html')).size <= 300 * 1024, 'the budget is kept');
  check(await cut.value('!nsyscope.meta.hasEvents && document.querySelector(".cut").textContent' +
    '.includes("300.0 KiB")'), 'the cut is said');
  run('generate', file('many.sqlite'), '--kernels', '30000', '--layers', '1', '--force');
  makePage('many.sqlite', 'many.html', '--max-size', '600K');
  const timing = readPage(file('many.html')).panes.find((pane) => pane.key === 'iterations').sheets
    .find((sheet) => sheet.key === 'iteration_timing');

  check(timing.rows.length === 1000 && timing.left > 0, 'tables of a cut page are cut and say so');
  for (const pane of ['search', 'details'])
    check((await cut.value(`nsyscope.showPane("${pane}"); document.getElementById('pane').textContent`))
      .startsWith('This page has no single events'), `${pane} of a cut page says what it lacks`);
  await page.value('document.getElementById("find").value = "gemm"; document.getElementById("find")' +
    '.focus()');
  await page.key('Enter', {text: '\r'});
  check((await page.value('document.getElementById("pane").textContent')).includes('of its window'),
    'search in a window says what it covers');
  const line = await cut.value('nsyscope.meta.lines.find((each) => each.columns && each.kind === "lane").lane');
  const whole = JSON.parse(run('bins', file('made.sqlite'), '--lane', String(line), '--columns',
    '1', '--json')).sheets[0].rows[0];

  equal(await cut.value(`(({busy, events, longest}) => [busy, events, longest])(nsyscope.measureLine(
    nsyscope.meta.lines.find((each) => each.columns && each.kind === 'lane'), 0, nsyscope.meta.length))`),
  [whole.busy_ns, whole.events, whole.longest_ns], 'columns of a cut page');
  equal(cut.errors(), [], 'errors of the console of a cut page');
}

// Prints frame times; they decide nothing.
async function fast(chrome) {
  run('generate', file('large.sqlite'), '--kernels', '30000', '--force');
  const page = await chrome.open(makePage('large.sqlite', 'large.html'), 1280, 800, 'dark');

  await page.settle();
  const at = await frames(page);

  console.log(`${at.events} events: a frame takes ${at.median.toFixed(1)} ms (median), ` +
    `${at.p95.toFixed(1)} ms (p95), ${at.worst.toFixed(1)} ms (worst); 60 a second leave 16.7 ms`);
  equal(page.errors(), [], 'errors of the console of a large page');
}

main().catch((error) => {
  console.log(error);
  process.exitCode = 1;
});
