// Draws the timeline: one canvas for the rows in sight, one for overview and ruler.

class Painter {
  constructor(state, parts) {
    this.state = state;
    this.parts = parts;
    this.due = false;
    this.frames = 0;
  }

  colors() {
    const wanted = this.state.theme ||
      (matchMedia('(prefers-color-scheme: light)').matches ? 'light' : 'dark');

    return this.state.meta.themes[wanted];
  }

  // At most one frame for each refresh of the screen.
  ask() {
    if (this.due)
      return;
    this.due = true;
    requestAnimationFrame(() => {
      this.due = false;
      this.draw();
    });
  }

  // Sizes a canvas to its box; returns its context in CSS pixels.
  context(canvas) {
    const ratio = window.devicePixelRatio || 1;
    const width = canvas.clientWidth;
    const height = canvas.clientHeight;

    for (const [key, size] of [['width', width], ['height', height]])
      if (canvas[key] !== Math.round(size * ratio))
        canvas[key] = Math.round(size * ratio);
    const context = canvas.getContext('2d');

    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.font = '12px ui-monospace, Menlo, Consolas, monospace';
    context.textBaseline = 'middle';
    context.fillStyle = this.colors().roles.text[1];
    context.fillRect(0, 0, width, height);
    return context;
  }

  x(t) {
    const {t0, t1} = this.state.view;

    return (t - t0) / (t1 - t0) * this.width;
  }

  draw() {
    const {rows, strip} = this.parts;

    this.frames++;
    this.roles = this.colors().roles;
    this.palette = this.colors().palette;
    this.width = rows.clientWidth;
    this.context2d = this.context(rows);
    this.rowsDraw();
    this.context2d = this.context(strip);
    this.stripDraw();
  }

  fill(color, x, y, width, height) {
    this.context2d.fillStyle = color;
    this.context2d.fillRect(x, y, width, height);
  }

  text(color, text, x, y, width) {
    const fits = Math.floor(width / 7.3);

    if (fits < 1)
      return;
    this.context2d.fillStyle = color;
    this.context2d.fillText(text.length > fits ? `${text.slice(0, fits - 1)}…` : text, x, y);
  }

  // ---- rows ----

  rowsDraw() {
    const {state, parts} = this;
    const top = parts.scroller.scrollTop;
    const height = parts.rows.clientHeight;
    const first = Math.floor(top / ROW);

    this.ticksDraw(0, height, false);
    this.rangeDraw(0, height, top);
    for (let r = first; r < state.shown.length && r * ROW < top + height; r++)
      this.lineDraw(state.shown[r], r * ROW - top, r === state.row);
    this.fill(this.roles.cursor[0], Math.floor(this.x(state.cursor)), 0, 1, height);
  }

  rangeDraw(y, height, top) {
    const {range} = this.state;

    if (!range)
      return;
    const rows = range.rows || [0, this.state.shown.length - 1];
    const x = this.x(range.t0);

    this.fill(this.roles.range[1], x, y + rows[0] * ROW - top, this.x(range.t1) - x,
      (rows[1] - rows[0] + 1) * ROW);
  }

  lineDraw(line, y, isCurrent) {
    if (isCurrent)
      this.fill(this.roles['label-cursor'][1], 0, y, this.width, ROW);
    if (line.kind === 'group')
      this.groupDraw(line, y);
    else if (line.kind === 'overlap')
      this.overlapDraw(line, y);
    else if (line.kind === 'counter')
      this.counterDraw(line, y);
    else
      this.laneDraw(line, y);
  }

  groupDraw(line, y) {
    const {state} = this;
    const {t0, t1} = state.view;

    if (state.folded.has(line.track)) {
      this.activityDraw(line, y + 3, ROW - 5);
      return;
    }
    if (!line.covers && !line.coverColumns)
      return;
    this.text(this.roles.share[0], deviceText(measureDevice(state.meta, line, t0, t1)), 6,
      y + ROW / 2, this.width - 6);
  }

  // Columns of two pixels; of(c0, c1) gives the color and share of a time.
  sharesDraw(y, height, t0, t1, of) {
    const t = (x) => t0 + (t1 - t0) * x / this.width;

    for (let x = 0; x < this.width; x += 2)
      this.levelDraw(...of(t(x), t(x + 2)), x, y, 2, height);
  }

  // The busiest of a group's rows, or the busy time of its device.
  activityDraw(group, y, height) {
    const {meta, view} = this.state;
    const isDevice = group.covers || group.coverColumns;

    this.sharesDraw(y, height, view.t0, view.t1, (c0, c1) => [this.roles.overview[0], isDevice
      ? shareOfDevice(measureDevice(meta, group, c0, c1))
      : Math.max(0, ...group.firstLines.map((line) => shareOf(measureLine(meta, line, c0, c1))))]);
  }

  // A column that anything touches is never empty, one that is not all busy never full.
  levelDraw(color, share, x, y, width, height) {
    if (share <= 0)
      return;
    const level = share >= 1 ? 8 : Math.max(1, Math.min(7, Math.round(share * 8)));

    this.fill(color, x, y + height - height * level / 8, width, height * level / 8);
  }

  overlapDraw(line, y) {
    const {meta, view} = this.state;
    const device = meta.lines.find((each) => each.kind === 'group' && each.track === line.track);

    this.sharesDraw(y + 2, ROW - 4, view.t0, view.t1, (c0, c1) => {
      const at = measureDevice(meta, device, c0, c1);
      const [most, ns] = [['compute', at.compute - at.overlap], ['both', at.overlap],
        ['exposed', at.comm - at.overlap], ['copy', at.copyOnly]]
        .reduce((a, b) => b[1] > a[1] ? b : a);

      return [this.roles[`overlap-${most}`][0], ns / at.window];
    });
  }

  counterDraw(line, y) {
    const {samples} = line;
    const {t0, t1} = this.state.view;
    const span = Math.max(1, line.most - Math.min(0, line.least));
    let i = Math.max(0, findAfter(samples.n, (k) => samples.time[k], t0) - 1);

    while (i < samples.n && samples.time[i] < t1) {
      const x = Math.max(0, this.x(samples.time[i]));
      let value = samples.value[i];
      let end = i + 1;

      for (; end < samples.n && this.x(samples.time[end]) < x + 1; end++)
        value = Math.max(value, samples.value[end]);
      const next = end < samples.n ? this.x(samples.time[end]) : this.width;

      this.levelDraw(this.roles.counter[0], (value - Math.min(0, line.least)) / span, x, y + 2,
        Math.max(1, next - x), ROW - 4);
      i = end;
    }
  }

  // Events that are wide enough one by one, the others as how busy each column is.
  laneDraw(line, y) {
    const {meta, view} = this.state;

    if (!line.events || (line.columns && !hasEvents(meta, view.t0, view.t1))) {
      this.columnsDraw(line, y);
      if (!line.events)
        return;
    }
    const events = line.events;
    const perPixel = (view.t1 - view.t0) / this.width;

    for (let i = firstTouching(events, view.t0); i < events.n && events.start[i] < view.t1;) {
      const x = this.x(events.start[i]);
      const end = this.x(touchEnd(events, i));

      if (end - x >= 2) {
        this.eventDraw(line, i, x, end, y, line.number + i === this.state.event);
        i++;
        continue;
      }
      const column = Math.max(0, Math.floor(x));
      const c1 = view.t0 + (column + 1) * perPixel;
      const at = measureEvents(events, view.t0 + column * perPixel, c1);
      const color = this.palette[meta.titles[events.title[at.longest]][2]];

      this.levelDraw(color, Math.max(at.busy / perPixel, 0.01), column, y + 2, 1, ROW - 4);
      const last = at.end - 1;
      const isWide = last > i && this.x(events.end[last]) - this.x(events.start[last]) >= 2;

      i = Math.max(i + 1, isWide ? last : at.end);
    }
  }

  columnsDraw(line, y) {
    const {meta, view} = this.state;
    const at = columnsIn(meta, view.t0, view.t1);
    const wide = (at.end - at.first) / this.width;

    for (let k = 0; k < Math.min(this.width, at.end - at.first); k++) {
      const from = at.first + Math.floor(wide > 1 ? k * wide : k);
      const to = wide > 1 ? Math.max(from + 1, at.first + Math.floor((k + 1) * wide)) : from + 1;
      const c0 = cutOf(0, meta.length, from, meta.columns);
      const c1 = cutOf(0, meta.length, to, meta.columns);

      if (line.events && c1 > meta.detail[0] && c0 < meta.detail[1])
        continue;
      const sums = measureLine(meta, {columns: line.columns}, c0, c1);

      if (sums.title >= 0)
        this.levelDraw(this.palette[meta.titles[sums.title][2]],
          Math.max(sums.busy / (c1 - c0), 0.01), this.x(c0), y + 2,
          Math.max(1, this.x(c1) - this.x(c0)), ROW - 4);
    }
  }

  eventDraw(line, i, x, end, y, isSelected) {
    const title = this.state.meta.titles[line.events.title[i]];
    const left = Math.max(-1, x);
    const width = Math.min(this.width + 1, end) - left;
    const gap = width > 4 ? 0.6 : 0;

    this.fill(this.palette[title[2]], left, y + 2, width - gap, ROW - 4);
    if (isSelected) {
      this.context2d.strokeStyle = this.roles.selection[0];
      this.context2d.lineWidth = 2;
      this.context2d.strokeRect(left + 1, y + 3, Math.max(2, width - 2), ROW - 6);
    }
    if (width > 24)
      this.text(inkOn(this.palette[title[2]]), this.state.full ? title[3] || title[0] : title[0],
        Math.max(3, left + 3), y + ROW / 2 + 0.5, width - 6);
  }

  // ---- overview and ruler ----

  stripDraw() {
    const {meta, view} = this.state;
    const height = this.parts.strip.clientHeight;
    const strip = height - ROW;
    const groups = meta.lines.filter((line) => line.covers || line.coverColumns);

    this.sharesDraw(2, strip - 4, 0, meta.length, (c0, c1) => [this.roles.overview[0],
      Math.max(0, ...groups.map((line) => shareOfDevice(measureDevice(meta, line, c0, c1))))]);
    const marks = (color, times) => times.forEach((each) =>
      this.fill(color, each / meta.length * this.width - 1, 0, 2, 5));
    const x0 = view.t0 / meta.length * this.width;
    const x1 = view.t1 / meta.length * this.width;

    marks(this.roles.error[0], meta.findings.filter((f) => f.window).map((f) => f.window[0]));
    marks(this.roles.bookmark[0], meta.bookmarks.map((b) => b.time));
    marks(this.roles.match[1], this.state.hits.slice(0, 2000).map((h) => h.line.events.start[h.i]));
    this.context2d.strokeStyle = this.roles['overview-window'][0];
    this.context2d.lineWidth = 1;
    this.context2d.strokeRect(x0 + 0.5, 0.5, Math.max(2, x1 - x0 - 1), strip - 1);
    this.ticksDraw(strip, ROW, true);
  }

  // Ticks at 1, 2 or 5 times a power of ten.
  ticksDraw(y, height, withText) {
    const {view, model, relative} = this.state;
    const least = (view.t1 - view.t0) / Math.max(1, this.width / 110);
    const power = 10 ** Math.floor(Math.log10(Math.max(1, least)));
    const step = BigInt([1, 2, 5, 10].find((k) => k * power >= least) * power);
    const zero = relative ? 0n : model.origin;
    const from = zero + BigInt(view.t0);

    for (let t = from - (from % step + step) % step; t < zero + BigInt(view.t1); t += step) {
      const x = Math.floor(this.x(Number(t - zero)));

      if (withText)
        this.text(this.roles.ruler[0], formatTick(t, step), x + 4, y + height / 2, 105);
      this.fill(this.roles[withText ? 'border' : 'gridline'][0], x, y, 1, height);
    }
  }
}

function shareOf(at) {
  return at.events ? Math.max(at.busy / (at.t1 - at.t0), 0.01) : 0;
}

function shareOfDevice(at) {
  return at.window > 0 ? at.busy / at.window : 0;
}

function deviceText(at) {
  const share = (what, ns) => `${what} ${formatPercent(ns, at.window)}`;
  const parts = [share('busy', at.busy), share('compute', at.compute)];

  if (at.comm)
    parts.push(share('exposed comm', at.exposed));
  parts.push(share('copy only', at.copyOnly), share('idle', at.idle),
    `of ${formatDuration(at.window)}`);
  return parts.join('  ');
}

// Black or white, whichever stands out more.
function inkOn(color) {
  const [r, g, b] = [1, 3, 5].map((i) => parseInt(color.slice(i, i + 2), 16));

  return r * 0.299 + g * 0.587 + b * 0.114 > 128 ? '#10141b' : '#ffffff';
}
