// Questions to the events, columns and covers of the page.

// The least i with value(i) > t, of n ascending values.
function findAfter(n, value, t) {
  let low = 0;
  let high = n;

  while (low < high) {
    const middle = (low + high) >> 1;

    if (value(middle) > t)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

// An instant takes 1 ns where it is drawn or touched.
function touchEnd(events, i) {
  return events.end[i] > events.start[i] ? events.end[i] : events.start[i] + 1;
}

function firstTouching(events, t) {
  return findAfter(events.n, (i) => touchEnd(events, i), t);
}

// Cut i of the n + 1 of [t0, t1), as nsc_window_cut has it.
function cutOf(t0, t1, i, n) {
  const d = t1 - t0;

  return t0 + Math.floor(d / n) * i + Math.floor((d % n) * i / n);
}

// Events [i, j) that touch [c0, c1): the busy ns inside, how many, the longest.
function measureEvents(events, c0, c1) {
  const i = firstTouching(events, c0);
  const j = i + findAfter(events.n - i, (k) => events.start[i + k], c1 - 0.5);
  let busy = events.before[j] - events.before[i];
  let longest = -1;

  if (j > i) {
    busy -= Math.max(0, c0 - events.start[i]) + Math.max(0, events.end[j - 1] - c1);
    longest = longestOf(events, i, j);
  }
  return {busy, events: j - i, longest, first: i, end: j};
}

// The first of the longest events in [i, j). Blocks of 64 keep the cost low for many.
function longestOf(events, i, j) {
  let best = i;
  const look = (k) => {
    if (events.end[k] - events.start[k] > events.end[best] - events.start[best])
      best = k;
  };

  if (j - i < 256) {
    for (let k = i; k < j; k++)
      look(k);
    return best;
  }
  if (!events.blocks) {
    events.blocks = new Uint32Array((events.n + 63) >> 6);
    for (let b = 0; b < events.blocks.length; b++)
      events.blocks[b] = longestOf(events, b << 6, Math.min(events.n, (b + 1) << 6));
  }
  for (let k = i; k < j;) {
    if (k % 64 === 0 && k + 64 <= j) {
      look(events.blocks[k >> 6]);
      k += 64;
    } else {
      look(k++);
    }
  }
  return best;
}

// The time of [t0, t1) that a cover holds.
function measureCover(cover, t0, t1) {
  const before = (t) => {
    const i = findAfter(cover.n, (k) => cover.end[k], t);

    return cover.before[i] + (i < cover.n ? Math.max(0, t - cover.start[i]) : 0);
  };

  return cover ? before(t1) - before(t0) : 0;
}

// The columns of the whole that meet [t0, t1): [first, end), and the times they span.
function columnsIn(meta, t0, t1) {
  const n = meta.columns;
  const cut = (i) => cutOf(0, meta.length, i, n);
  let first = Math.max(0, Math.min(n - 1, Math.floor(t0 / meta.length * n)));
  let end = Math.max(first + 1, Math.min(n, Math.ceil(t1 / meta.length * n)));

  while (first > 0 && cut(first) > t0)
    first--;
  while (first + 1 < n && cut(first + 1) <= t0)
    first++;
  while (end < n && cut(end) < t1)
    end++;
  while (end > first + 1 && cut(end - 1) >= t1)
    end--;
  return {first, end, t0: cut(first), t1: cut(end)};
}

// Whether the page has each event of [t0, t1).
function hasEvents(meta, t0, t1) {
  return meta.hasEvents && t0 >= meta.detail[0] && t1 <= meta.detail[1];
}

// A column of a line: {busy, events, title, longest, t0, t1}. Without single events, the columns of
// the whole that meet it: t0 and t1 say which time the figures are of.
function measureLine(meta, line, t0, t1) {
  const out = {busy: 0, events: 0, title: -1, longest: 0, event: -1, t0, t1};

  if (line.events && (hasEvents(meta, t0, t1) || !line.columns)) {
    const at = measureEvents(line.events, t0, t1);

    out.busy = at.busy;
    out.events = at.events;
    out.event = at.longest;
    if (at.longest >= 0) {
      out.title = line.events.title[at.longest];
      out.longest = line.events.end[at.longest] - line.events.start[at.longest];
    }
  } else if (line.columns) {
    const columns = line.columns;
    const at = columnsIn(meta, t0, t1);

    out.t0 = at.t0;
    out.t1 = at.t1;
    out.events = columns.enters[at.first];
    for (let i = at.first; i < at.end; i++) {
      out.busy += columns.busy[i];
      out.events += columns.starts[i];
      if (columns.title[i] >= 0 && (out.title < 0 || columns.longest[i] > out.longest)) {
        out.title = columns.title[i];
        out.longest = columns.longest[i];
      }
    }
  }
  return out;
}

// What a device does in [t0, t1), from the covers of the index.
function measureDevice(meta, line, t0, t1) {
  const has = line.covers && (hasEvents(meta, t0, t1) || !line.coverColumns);
  const at = has || !meta.columns ? {t0, t1} : columnsIn(meta, t0, t1);
  const of = (key) => {
    if (has)
      return measureCover(line.covers[key], t0, t1);
    const sums = line.coverColumns && line.coverColumns[key];
    let sum = 0;

    for (let i = at.first; sums && i < at.end; i++)
      sum += sums[i];
    return sum;
  };
  const busy = of('busy');
  const compute = of('compute');
  const comm = of('comm');
  const overlap = of('overlap');
  const window = at.t1 - at.t0;

  return {window, busy, compute, comm, overlap, idle: window - busy, exposed: comm - of('hidden'),
    copyOnly: busy - (compute + comm - overlap), t0: at.t0, t1: at.t1};
}

// The first line of each track of a group.
function firstLines(lines, group) {
  const tracks = new Set();

  return lines.filter((line) => {
    const isFirst = line.track > group.track && line.track < group.skip &&
      (line.events || line.columns) && !tracks.has(line.track);

    tracks.add(line.track);
    return isFirst;
  });
}

// Lines of the page by lane of the trace, and events by their number in the page.
class Model {
  constructor(meta) {
    this.meta = meta;
    this.origin = BigInt(meta.origin);
    this.lines = meta.lines;
    this.firsts = [];
    let n = 0;

    this.lines.forEach((line, index) => {
      line.index = index;
      line.number = n;
      if (line.kind === 'group')
        line.firstLines = firstLines(this.lines, line);
      if (line.events) {
        this.firsts.push({first: n, line});
        n += line.events.n;
      }
    });
    this.nEvents = n;
  }

  instant(t) {
    return this.origin + BigInt(Math.round(t));
  }

  when(t) {
    return formatInstant(this.instant(t));
  }

  // The header above a line, or the line itself.
  group(line) {
    return line.kind === 'group' ? line : this.lines.find((each) =>
      each.kind === 'group' && each.track === line.group);
  }

  // The line and place of an event of the page; null for -1.
  eventAt(number) {
    if (number < 0 || number >= this.nEvents)
      return null;
    const at = this.firsts[findAfter(this.firsts.length, (i) => this.firsts[i].first, number) - 1];

    return {line: at.line, i: number - at.first};
  }

  numberOf(line, i) {
    return line.number + i;
  }

  title(number) {
    const title = this.meta.titles[number];

    return {brief: title[0], kind: this.meta.kinds[title[1]], color: title[2],
      full: title[3] || title[0]};
  }

  // The NVTX ranges of a thread around t, outermost first.
  path(group, t) {
    const found = [];

    for (const line of this.lines) {
      if (line.kind !== 'lane' || line.of !== 'nvtx' || line.group !== group || !line.events)
        continue;
      const i = firstTouching(line.events, t);

      if (i < line.events.n && line.events.start[i] <= t)
        found.push({line, i});
    }
    return found.sort((a, b) => a.line.events.start[a.i] - b.line.events.start[b.i] ||
      b.line.events.end[b.i] - a.line.events.end[a.i]);
  }

  // Events whose name has the text, in order of time: [{line, i}], at most `most`.
  search(text, most) {
    const needle = text.toLowerCase();
    const wanted = this.meta.titles.map((title) =>
      (title[0] + '\n' + (title[3] || '')).toLowerCase().includes(needle));
    const found = [];

    for (const line of this.lines)
      for (let i = 0; line.events && line.kind === 'lane' && i < line.events.n; i++)
        if (wanted[line.events.title[i]] && found.length < most)
          found.push({line, i});
    return found.sort((a, b) => a.line.events.start[a.i] - b.line.events.start[b.i]);
  }

  // Figures of lines in [t0, t1): whole events that touch it, by name.
  statistics(lines, t0, t1) {
    const names = new Map();
    const out = {events: 0, total: 0, busy: 0, exact: true, names: [], t0, t1};

    for (const line of lines) {
      const at = measureLine(this.meta, line, t0, t1);

      out.events += at.events;
      out.busy += at.busy;
      out.exact = out.exact && Boolean(line.events) && hasEvents(this.meta, t0, t1);
      out.t0 = Math.min(out.t0, at.t0);
      out.t1 = Math.max(out.t1, at.t1);
      if (!line.events || !hasEvents(this.meta, t0, t1))
        continue;
      const rows = measureEvents(line.events, t0, t1);

      for (let i = rows.first; i < rows.end; i++) {
        const brief = this.meta.titles[line.events.title[i]][0];

        if (!names.has(brief))
          names.set(brief, []);
        names.get(brief).push(line.events.end[i] - line.events.start[i]);
      }
    }
    out.names = [...names].map(([name, all]) => quantiles(name, all))
      .sort((a, b) => b.total - a.total);
    out.total = out.names.reduce((sum, row) => sum + row.total, 0);
    return out;
  }
}

// Median: the mean of the two in the middle; p95: the nearest rank.
function quantiles(name, durations) {
  const all = Float64Array.from(durations).sort();
  const n = all.length;
  const total = all.reduce((sum, each) => sum + each, 0);

  return {name, count: n, total, mean: total / n, longest: all[n - 1],
    median: (all[(n - 1) >> 1] + all[n >> 1]) / 2, p95: all[Math.ceil(0.95 * n) - 1]};
}
