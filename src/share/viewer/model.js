// Answers questions from the data of the page: events, columns and covers.

const MOST_HITS = 100000;

let meta = null; // the unpacked description; set once, by prepare()

// ---- events of a lane ----

// The smallest i of [0, n) from which on isSo always holds; n: none.
function findFirst(n, isSo) {
  let low = 0;
  let high = n;

  while (low < high) {
    const middle = (low + high) >> 1;

    if (isSo(middle))
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

// An instant counts as 1 ns for drawing and touching.
function touchEnd(events, i) {
  return Math.max(events.end[i], events.start[i] + 1);
}

function firstTouching(events, t) {
  return findFirst(events.n, (i) => touchEnd(events, i) > t);
}

// Cut i of the n + 1 cuts of [t0, t1), as in nsc_window_cut.
function cutOf(t0, t1, i, n) {
  const d = t1 - t0;

  return t0 + Math.floor(d / n) * i + Math.floor((d % n) * i / n);
}

// Events [first, end) that touch [c0, c1): busy ns inside, number, the longest.
function measureEvents(events, c0, c1) {
  const first = firstTouching(events, c0);
  const end = first + findFirst(events.n - first, (k) => events.start[first + k] >= c1);

  if (end === first)
    return {busy: 0, events: 0, longest: -1, first, end};
  return {events: end - first, longest: longestOf(events, first, end), first, end,
    busy: events.before[end] - events.before[first] - Math.max(0, c0 - events.start[first]) -
      Math.max(0, events.end[end - 1] - c1)};
}

// The first of the longest events in [i, j). Uses blocks of 64.
function longestOf(events, i, j) {
  const {start, end, n} = events;
  const isLong = j - i >= 256;
  let best = i;

  if (isLong)
    events.blocks ??= Uint32Array.from({length: (n + 63) >> 6}, (_, block) =>
      longestOf(events, block << 6, Math.min(n, (block + 1) << 6)));
  for (let k = i; k < j;) {
    const isBlock = isLong && k % 64 === 0 && k + 64 <= j;
    const at = isBlock ? events.blocks[k >> 6] : k;

    if (end[at] - start[at] > end[best] - start[best])
      best = at;
    k += isBlock ? 64 : 1;
  }
  return best;
}

// The part of [t0, t1) inside a cover.
function measureCover(cover, t0, t1) {
  const before = (t) => {
    const i = findFirst(cover.n, (k) => cover.end[k] > t);

    return cover.before[i] + Math.max(0, t - (cover.start[i] ?? t));
  };

  return cover ? before(t1) - before(t0) : 0;
}

// The last sample at or before t; -1 if there is none.
function sampleAt(samples, t) {
  return findFirst(samples.n, (i) => samples.time[i] > t) - 1;
}

// ---- lines, by their events or by columns of the whole ----

function columnCut(i) {
  return cutOf(0, meta.length, i, meta.columns);
}

// The columns that overlap [t0, t1): [first, end), and their times.
function columnsIn(t0, t1) {
  const n = meta.columns;
  const first = Math.min(n - 1, findFirst(n, (i) => columnCut(i + 1) > t0));
  const end = Math.max(first + 1, findFirst(n, (i) => columnCut(i) >= t1));

  return {first, end, t0: columnCut(first), t1: columnCut(end)};
}

// Sums columns [first, end) of a line; title and longest are of the longest event.
function sumColumns(columns, first, end) {
  const {busy, starts, title, longest} = columns;
  const out = {busy: 0, events: starts[first] % 2, title: -1, longest: 0};

  for (let i = first; i < end; i++) {
    out.busy += busy[i];
    out.events += Math.floor(starts[i] / 2);
    if (title[i] && (out.title < 0 || longest[i] > out.longest))
      Object.assign(out, {title: title[i] - 1, longest: longest[i]});
  }
  return out;
}

// Whether the page has all events of [t0, t1).
function hasEvents(t0, t1) {
  return meta.hasEvents && t0 >= meta.detail[0] && t1 <= meta.detail[1];
}

// Measures a line in [t0, t1). Without single events, uses whole columns, and returns their times
// as t0 and t1. The rows [first, end) are single events.
function measureLine(line, t0, t1) {
  const {events, columns} = line;
  const none = {busy: 0, events: 0, title: -1, longest: 0, exact: false, first: 0, end: 0, t0, t1};

  if (events && (hasEvents(t0, t1) || !columns)) {
    const {longest: i, ...at} = measureEvents(events, t0, t1);

    return {...none, ...at, exact: true, ...at.events && {title: events.title[i],
      longest: events.end[i] - events.start[i]}};
  }
  if (!columns)
    return none;
  const {first, end, ...times} = columnsIn(t0, t1);

  return {...none, ...sumColumns(columns, first, end), ...times};
}

// Measures a device in [t0, t1), from the covers of the index.
function measureDevice(line, t0, t1,
  keys = ['busy', 'compute', 'comm', 'overlap', 'hidden']) {
  const exact = line.covers && (hasEvents(t0, t1) || !line.coverColumns);
  const at = exact || !meta.columns ? {t0, t1} : columnsIn(t0, t1);
  const out = {window: at.t1 - at.t0};

  for (const key of keys) {
    const sums = !exact && line.coverColumns && line.coverColumns[key];

    out[key] = exact ? measureCover(line.covers[key], t0, t1) : 0;
    for (let i = at.first; sums && i < at.end; i++)
      out[key] += sums[i];
  }
  out.idle = out.window - out.busy;
  out.exposed = out.comm - out.hidden;
  out.copyOnly = out.busy - (out.compute + out.comm - out.overlap);
  return out;
}

// The share of [t0, t1) of a group's busiest row, or of its device.
function shareOfGroup(line, t0, t1) {
  if (isDevice(line)) {
    const at = measureDevice(line, t0, t1, ['busy']);

    return at.busy / at.window || 0;
  }
  return Math.max(0, ...line.firstLines.map((each) => {
    const at = measureLine(each, t0, t1);

    return at.events ? Math.max(at.busy / (at.t1 - at.t0), 0.01) : 0;
  }));
}

function isDevice(line) {
  return line.covers || line.coverColumns;
}

function hasRows(line) {
  return line?.events || line?.columns;
}

// Quantiles of durations. Median: the mean of the middle two; p95: the nearest rank.
function quantiles(name, durations) {
  const all = Float64Array.from(durations).sort();
  const n = all.length;
  const total = all.reduce((sum, each) => sum + each, 0);

  return {name, count: n, total, mean: total / n, median: (all[(n - 1) >> 1] + all[n >> 1]) / 2,
    p95: all[Math.ceil(0.95 * n) - 1], longest: all[n - 1]};
}

// Figures of lines by name, for whole events that touch [t0, t1).
function statistics(lines, t0, t1) {
  const names = new Map();
  const out = {events: 0, busy: 0, exact: true, t0, t1};

  for (const line of lines) {
    const at = measureLine(line, t0, t1);

    out.events += at.events;
    out.busy += at.busy;
    out.exact = out.exact && at.exact;
    out.t0 = Math.min(out.t0, at.t0);
    out.t1 = Math.max(out.t1, at.t1);
    for (let i = at.first; i < at.end; i++) {
      const {brief} = meta.titles[line.events.title[i]];
      const all = names.get(brief) || [];

      all.push(line.events.end[i] - line.events.start[i]);
      names.set(brief, all);
    }
  }
  out.names = [...names].map(([name, all]) => quantiles(name, all))
    .sort((a, b) => b.total - a.total);
  return out;
}

// ---- one event ----

// An event: a position in the columns of a line.
class PageEvent {
  constructor(line, i) {
    const {start, end, title} = line.events;

    this.line = line;
    this.i = i;
    this.number = line.number + i; // over all events of the page, as in links
    this.start = start[i];
    this.end = end[i];
    this.title = meta.titles[title[i]];
    // Whether the link leads back: from an op to its launch, from a projected range to the range.
    this.isLed = line.of === 'stream' || line.kind === 'projected';
  }

  of(column) {
    return this.line.events[column][this.i];
  }

  get linked() {
    return eventAt(this.of('link') - 1);
  }

  // The NVTX ranges around the start of the event on its thread, outermost first.
  path() {
    return meta.lines.filter((line) => line.kind === 'lane' && line.of === 'nvtx' &&
      line.group === this.line.group && line.events)
      .map((line) => new PageEvent(line, firstTouching(line.events, this.start)))
      .filter((each) => each.start <= this.start && each.number !== this.number)
      .sort((a, b) => a.start - b.start || b.end - a.end);
  }
}

// The event with a number; null if the page does not have it.
function eventAt(number) {
  const line = number >= 0 && meta.lines.findLast((each) => each.events && each.number <= number);

  return line && number < line.number + line.events.n
    ? new PageEvent(line, number - line.number) : null;
}

// Events whose name contains the text, by time.
function search(text) {
  const needle = text.toLowerCase();
  const isWanted = meta.titles.map((title) =>
    `${title.brief}\n${title.full}`.toLowerCase().includes(needle));
  const found = [];

  for (const line of meta.lines)
    for (let i = 0; line.events && line.kind === 'lane' && i < line.events.n; i++)
      if (isWanted[line.events.title[i]] && found.length < MOST_HITS)
        found.push(new PageEvent(line, i));
  return found.sort((a, b) => a.start - b.start);
}

// ---- lines and times ----

// The first line of each track of a group.
function firstLines(group) {
  const tracks = new Set();

  return meta.lines.filter((line) => line.track > group.track && line.track < group.skip &&
    hasRows(line) && !tracks.has(line.track) && tracks.add(line.track));
}

// The header above a line, or the line itself.
function groupOf(line) {
  return line.isGroup ? line
    : meta.lines.find((each) => each.isGroup && each.track === line.group);
}

// A point on the export's clock.
function instant(t) {
  return BigInt(meta.origin) + BigInt(Math.round(t));
}

function when(t) {
  return formatInstant(instant(t));
}

function whenSpan(t0, t1) {
  return `${when(t0)} … ${when(t1)} · ${formatDuration(t1 - t0)}`;
}

// Takes the unpacked description: splits titles into parts, and numbers lines and events.
function prepare(data) {
  let number = 0;

  meta = data;
  meta.titles = meta.titles.map(([brief, kind, color, full]) =>
    ({brief, kind: meta.kinds[kind], color, full: full || brief}));
  meta.lines.forEach((line, index) => {
    Object.assign(line, {index, number, isGroup: line.kind === 'group'});
    number += line.events?.n || 0;
    if (line.isGroup)
      line.firstLines = firstLines(line);
  });
  meta.events = number;
}
