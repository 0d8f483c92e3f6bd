// Draws the timeline: one canvas for the visible rows, one for overview and ruler.

const LETTER = 7.3; // pixels per letter
const TICK = 110;   // least pixels between ticks

let parts = null; // the elements of the page, by name; set once, by start()
let nextFrame = 0;
const brush = {}; // state of drawing: context, width, roles, palette

function themeNow() {
  return document.documentElement.className || // for printing
    state.theme || (matchMedia('(prefers-color-scheme: light)').matches ? 'light' : 'dark');
}

// Draws at most one frame per refresh of the screen.
function askFrame() {
  nextFrame ||= requestAnimationFrame(() => {
    nextFrame = 0;
    draw();
  });
}

function draw() {
  Object.assign(brush, meta.themes[themeNow()]);
  take(parts.rows);
  drawRows();
  take(parts.strip);
  drawStrip(parts.strip.clientHeight);
}

// Sizes a canvas to its box and makes it the target, in CSS pixels.
function take(canvas) {
  const ratio = window.devicePixelRatio || 1;
  const sizes = {width: canvas.clientWidth, height: canvas.clientHeight};
  const context = canvas.getContext('2d');

  for (const [key, size] of Object.entries(sizes))
    if (canvas[key] !== Math.round(size * ratio))
      canvas[key] = Math.round(size * ratio);
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.font = '12px ui-monospace, Menlo, Consolas, monospace';
  context.textBaseline = 'middle';
  Object.assign(brush, {context, width: sizes.width});
  fill(brush.roles.text[1], 0, 0, sizes.width, sizes.height);
}

// ---- strokes ----

function xOf(t) {
  return (t - state.view.t0) / viewSpan() * brush.width;
}

function fill(color, x, y, width, height) {
  brush.context.fillStyle = color;
  brush.context.fillRect(x, y, width, height);
}

function frame(color, x, y, width, height, thick) {
  brush.context.strokeStyle = color;
  brush.context.lineWidth = thick;
  brush.context.strokeRect(x, y, width, height);
}

function write(color, text, x, y, width) {
  const fits = Math.floor(width / LETTER);

  if (fits < 1)
    return;
  brush.context.fillStyle = color;
  brush.context.fillText(text.length > fits ? `${text.slice(0, fits - 1)}…` : text, x, y);
}

// Columns with events are never empty, partly idle ones never full.
function drawLevel(color, share, x, y, width, height) {
  if (share <= 0)
    return;
  const level = share >= 1 ? 8 : clamp(Math.round(share * 8), 1, 7);

  fill(color, x, y + height - height * level / 8, width, height * level / 8);
}

// Draws columns of two pixels; of(c0, c1) gives the color and share of a time.
function drawShares(y, height, {t0, t1}, of) {
  const time = (x) => t0 + (t1 - t0) * x / brush.width;

  for (let x = 0; x < brush.width; x += 2)
    drawLevel(...of(time(x), time(x + 2)), x, y, 2, height);
}

// ---- rows ----

function drawRows() {
  const top = parts.scroller.scrollTop;
  const height = parts.rows.clientHeight;
  const {range, row, shown} = state;

  drawTicks(0, height, false);
  if (range) {
    const [from, to] = range.rows || [0, shown.length - 1];

    fill(brush.roles.range[1], xOf(range.t0), from * ROW - top, xOf(range.t1) - xOf(range.t0),
      (to - from + 1) * ROW);
  }
  for (let r = Math.floor(top / ROW); r < shown.length && r * ROW < top + height; r++) {
    if (r === row)
      fill(brush.roles['label-cursor'][1], 0, r * ROW - top, brush.width, ROW);
    (drawings[shown[r].kind] ?? drawLane)(shown[r], r * ROW - top);
  }
  fill(brush.roles.cursor[0], Math.floor(xOf(state.cursor)), 0, 1, height);
}

// Functions that draw lines without lanes at a height.
const drawings = {
  group(line, y) {
    const {t0, t1} = state.view;

    if (state.folded.has(line.track))
      drawShares(y + 3, ROW - 5, state.view, (c0, c1) =>
        [brush.roles.overview[0], shareOfGroup(line, c0, c1)]);
    else if (isDevice(line))
      write(brush.roles.share[0], deviceText(measureDevice(line, t0, t1)), 6, y + ROW / 2,
        brush.width - 6);
  },

  overlap(line, y) {
    const device = groupOf(line);

    drawShares(y + 2, ROW - 4, state.view, (c0, c1) => {
      const at = measureDevice(device, c0, c1);
      const [most, ns] = [['compute', at.compute - at.overlap], ['both', at.hidden],
        ['exposed', at.exposed], ['copy', at.copyOnly]]
        .reduce((a, b) => b[1] > a[1] ? b : a);

      return [brush.roles[`overlap-${most}`][0], ns / at.window];
    });
  },

  // Draws the maximum of the samples in each pixel.
  counter({samples, least, most}, y) {
    const floor = Math.min(0, least);
    const x = (i) => i < samples.n ? Math.round(xOf(samples.time[i])) : brush.width;
    let i = Math.max(0, sampleAt(samples, state.view.t0));

    while (i < samples.n && samples.time[i] < state.view.t1) {
      const from = Math.max(0, x(i));
      let value = samples.value[i++];

      for (; i < samples.n && x(i) < from + 1; i++)
        value = Math.max(value, samples.value[i]);
      drawLevel(brush.roles.counter[0], (value - floor) / Math.max(1, most - floor), from, y + 2,
        Math.max(1, x(i) - from), ROW - 4);
    }
  },
};

function drawLane(line, y) {
  if (line.columns && !hasEvents(state.view.t0, state.view.t1))
    drawColumns(line, y);
  if (line.events)
    drawEvents(line, y);
}

// A column has the color of its longest event; the height shows the busy share.
function drawBusy(title, share, x, y, width) {
  drawLevel(brush.palette[title.color][0], Math.max(share, 0.01), x, y + 2, width, ROW - 4);
}

// Draws wide events singly, and the others as the busy share of each column.
function drawEvents(line, y) {
  const {events} = line;
  const {t0, t1} = state.view;
  const perPixel = viewSpan() / brush.width;
  const selected = state.event ? state.event.number - line.number : -1;

  for (let i = firstTouching(events, t0); i < events.n && events.start[i] < t1;) {
    const x = xOf(events.start[i]);
    const end = xOf(touchEnd(events, i));

    if (end - x >= 2) {
      drawEvent(meta.titles[events.title[i]], x, end, y, i === selected);
      i++;
      continue;
    }
    const column = Math.max(0, Math.floor(x));
    const at = measureEvents(events, t0 + column * perPixel, t0 + (column + 1) * perPixel);
    const last = at.end - 1;
    const isWide = last > i && events.end[last] - events.start[last] >= 2 * perPixel;

    drawBusy(meta.titles[events.title[at.longest]], at.busy / perPixel, column, y, 1);
    i = Math.max(i + 1, isWide ? last : at.end);
  }
}

function drawEvent(title, x, end, y, isSelected) {
  const [color, ink] = brush.palette[title.color];
  const left = Math.max(-1, x);
  const width = Math.min(brush.width + 1, end) - left;

  fill(color, left, y + 2, width > 4 ? width - 0.6 : width, ROW - 4);
  if (isSelected)
    frame(brush.roles.selection[0], left + 1, y + 3, Math.max(2, width - 2), ROW - 6, 2);
  if (width > 24)
    write(ink, state.full ? title.full : title.brief, Math.max(3, left + 3),
      y + ROW / 2 + 0.5, width - 6);
}

// Draws columns of the whole trace, outside of the detail.
function drawColumns(line, y) {
  const at = columnsIn(state.view.t0, state.view.t1);
  const perPixel = Math.max(1, (at.end - at.first) / brush.width);
  const column = (k) => Math.min(at.end, at.first + Math.floor(k * perPixel));

  for (let k = 0; column(k) < at.end; k++) {
    const [c0, c1] = [k, k + 1].map((i) => columnCut(column(i)));
    const sums = sumColumns(line.columns, column(k), column(k + 1));
    const x = Math.round(xOf(c0)); // whole pixels avoid seams

    if (sums.title >= 0 && !(line.events && c1 > meta.detail[0] && c0 < meta.detail[1]))
      drawBusy(meta.titles[sums.title], sums.busy / (c1 - c0), x, y,
        Math.max(1, Math.round(xOf(c1)) - x));
  }
}

// ---- overview and ruler ----

function drawStrip(height) {
  const whole = {t0: 0, t1: meta.length};
  const strip = height - ROW;
  const devices = meta.lines.filter(isDevice);
  const x = (t) => t / meta.length * brush.width;
  const marks = {error: meta.findings.flatMap((each) => each.window?.[0] ?? []),
    bookmark: meta.bookmarks.map((each) => each.time),
    match: state.hits.slice(0, 2000).map((each) => each.start)};

  drawShares(2, strip - 4, whole, (c0, c1) => [brush.roles.overview[0],
    Math.max(0, ...devices.map((line) => shareOfGroup(line, c0, c1)))]);
  for (const [role, times] of Object.entries(marks))
    for (const t of times)
      fill(brush.roles[role][role === 'match' ? 1 : 0], x(t) - 1, 0, 2, 5);
  frame(brush.roles['overview-window'][0], x(state.view.t0) + 0.5, 0.5,
    Math.max(2, x(viewSpan()) - 1), strip - 1, 1);
  drawTicks(strip, ROW, true);
}

// Ticks at 1, 2 or 5 times a power of ten; drops texts that do not fit.
function drawTicks(y, height, withText) {
  const least = viewSpan() / Math.max(1, brush.width / TICK);
  const power = 10 ** Math.floor(Math.log10(Math.max(1, least)));
  const step = BigInt([1, 2, 5, 10].find((k) => k * power >= least) * power);
  const zero = state.relative ? 0n : BigInt(meta.origin);
  const from = zero + BigInt(state.view.t0);

  for (let t = from + (step - from % step) % step; t < zero + BigInt(state.view.t1); t += step) {
    const x = Math.floor(xOf(Number(t - zero)));
    const text = withText ? formatTick(t, step) : '';

    if (x + 4 + text.length * LETTER <= brush.width)
      write(brush.roles.ruler[0], text, x + 4, y + height / 2, TICK);
    fill(brush.roles[withText ? 'border' : 'gridline'][0], x, y, 1, height);
  }
}

function deviceText(at) {
  const shares = {busy: at.busy, compute: at.compute, ...at.comm && {'exposed comm': at.exposed},
    'copy only': at.copyOnly, idle: at.idle};
  const texts = Object.entries(shares).map(([what, ns]) =>
    `${what} ${formatPercent(ns, at.window)}`);

  return `${texts.join('  ')}  of ${formatDuration(at.window)}`;
}
