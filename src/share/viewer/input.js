// Handles keys, wheel, pointer and touch.

// ---- the actions of the terminal that the page has, by name ----

const actions = {
  'zoom-all': () => show(0, meta.length),
  fit,
  'back-view': () => retrace(-1),
  'axis-mode': () => toggle('relative'),
  demangled: () => toggle('full'),
  fold: () => fold(groupOf(currentLine())),
  find: () => parts.find.focus(),
  details: () => currentLine()?.isGroup ? actions.fold() : showPane('details'),
  'range-mark': markRange,
  'range-event': () => state.event && setRange(state.event.start, state.event.end),
  'pane-next': nextRegion,
  cancel,
  print: () => window.print(),
  theme: switchTheme,
};

actions.filter = actions.find;
for (const [name, pane = name] of [['bookmarks'], ['tree'], ['overlap'], ['findings'],
  ['statistics', 'selection'], ['info', 'about'], ['help', 'about']])
  actions[name] = () => showPane(pane);

// Pairs of names: run gets -1 for the first and 1 for the second.
for (const [back, forth, run] of [
  ['zoom-out', 'zoom-in', (by) => zoom(2 ** -by)],
  ['undo-view', 'redo-view', retrace],
  ['unfold-all', 'fold-all', (by) => foldAll(by > 0)],
  ['range-start', 'range-end', (by) => moveEdge(by < 0 ? 't0' : 't1')],
  ['cursor-left', 'cursor-right', (by) => moveCursor(by * viewSpan() / 100)],
  ['pan-left', 'pan-right', (by) => pan(by * viewSpan() / 100)],
  ['pan-left-far', 'pan-right-far', (by) => pan(by * viewSpan() / 4)],
  ['go-first', 'go-last', (by) => pan(by * meta.length)],
  ['row-up', 'row-down', (by) => moveRow(state.row + by)],
  ['prev-event', 'next-event', step],
  ['walk-prev', 'walk-next', (by) => visit(walked, by)],
  ['link-back', 'link-forward', follow],
  ['prev-same', 'next-same', same],
  ['prev-iteration', 'next-iteration', iteration],
  ['prev-bookmark', 'next-bookmark', (by) => visit('bookmarks', by)],
  ['prev-finding', 'next-finding', (by) => visit('findings', by)],
]) {
  actions[back] = () => run(-1);
  actions[forth] = () => run(1);
}

// The action of a key, bound as in the terminal; undefined if there is none.
function actionOf(event) {
  const base = event.key === ' ' ? 'Space'
    : event.key.replace('Arrow', '').replace('Page', 'Pg').replace('Escape', 'Esc');
  const key = (event.ctrlKey ? 'Ctrl-' : '') + (event.altKey ? 'Alt-' : '') +
    (event.shiftKey && base.length > 1 ? 'Shift+' : '') +
    (event.ctrlKey ? base.toUpperCase() : base);

  return meta.keys.findLast(([name, keys]) => actions[name] && keys.split(' ').includes(key))?.[0];
}

function switchTheme() {
  state.theme = themeNow() === 'light' ? 'dark' : 'light';
  applyTheme();
}

function toggle(what) {
  state[what] = !state[what];
  changed('view');
}

// Regions: timeline, labels of its rows, tabs, pane.
function nextRegion() {
  const regions = [parts.timeline, parts.labels, parts.tablist, parts.pane];
  const at = regions.findLastIndex((part) => part.contains(document.activeElement));
  const next = regions[(at + 1) % regions.length];

  // One label or tab takes the focus.
  (next.tabIndex < 0 ? next.querySelector('[tabindex="0"]') : next).focus();
}

function cancel() {
  Object.assign(state, {range: null, mark: null, event: null});
  changed('event');
}

// ---- events ----

// Moves the cursor to a time, and selects the event there.
function moveCursor(ns) {
  const line = currentLine();
  const t = clamp(Math.round(state.cursor + ns), 0, meta.length - 1);
  const event = line?.events && new PageEvent(line, firstTouching(line.events, t));

  if (t < state.view.t0 || t >= state.view.t1)
    pan(ns);
  state.cursor = t;
  state.event = event?.start <= t ? event : null;
  changed('event');
}

// Goes to the next or previous event of the row.
function step(by) {
  const line = currentLine();

  if (!line?.events?.n)
    return;
  const i = state.event?.line === line ? state.event.i + by
    : firstTouching(line.events, state.cursor);

  state.pane = 'details';
  select(new PageEvent(line, clamp(i, 0, line.events.n - 1)));
}

// Goes to the next or previous event with the same name.
function same(by) {
  if (!state.event)
    return;
  const {line, i} = state.event;
  const {title} = line.events;
  let next = i + by;

  while (next in title && title[next] !== title[i])
    next += by;
  if (next in title)
    select(new PageEvent(line, next));
}

// Goes from an op to its launch and back; from a range to the range around it.
function follow(by) {
  const {event} = state;

  if (!event)
    return;
  const outer = event.path().findLast((each) => each.line.index < event.line.index);
  const next = event.linked && event.isLed === by < 0 ? event.linked : by < 0 && outer;

  if (next)
    select(next);
}

// Shows the event or the range, with a margin.
function fit() {
  const at = state.event ? {t0: state.event.start, t1: state.event.end} : state.range;

  if (at)
    show(at.t0 - (at.t1 - at.t0) * 0.05, at.t1 + (at.t1 - at.t0) * 0.05);
}

// ---- lists, one after the other ----

let walked = 'hits'; // the list used last
const visited = {}; // by list: the current place

function find(text) {
  state.needle = text;
  state.hits = text ? search(text) : [];
  visited.hits = state.hits.findIndex((hit) => hit.start >= state.view.t0) - 1;
  showPane('search');
  visit('hits', 1);
}

function visit(list, by) {
  const all = meta[list]?.filter((each) => each.window) || state.hits;
  const at = visited[list] ?? Math.min(0, -by);

  walked = list;
  if (!all.length)
    return;
  visited[list] = (at + by + all.length) % all.length;
  (meta[list] ? goTo : select)(all[visited[list]]);
}

function iteration(by) {
  const all = meta.iterations;
  const now = all.findLastIndex(([t0]) => t0 <= state.view.t0);

  if (all.length)
    show(...all[clamp(now + by, 0, all.length - 1)]);
}

// ---- the range ----

function markRange() {
  if (state.mark === null) {
    state.mark = state.cursor;
  } else {
    setRange(state.mark, state.cursor, [state.row, state.row]);
    state.mark = null;
    showPane('selection');
  }
}

function moveEdge(edge) {
  const next = {...(state.range || state.view), [edge]: state.cursor};

  if (next.t0 < next.t1)
    setRange(next.t0, next.t1, next.rows);
}

// ---- wheel, mouse and touch on the rows; a click or drag on the overview ----

const pressed = new Map(); // pointers by id: their last positions

function timeAt(event) {
  return state.view.t0 + viewSpan() * event.offsetX / Math.max(1, brush.width);
}

function rowAt(event) {
  return clamp(Math.floor((event.offsetY + parts.scroller.scrollTop) / ROW), 0,
    state.shown.length - 1);
}

function turnWheel(event) {
  const isZoom = event.ctrlKey || (!event.shiftKey && !event.altKey && event.deltaY);
  const delta = Math.sign(isZoom ? event.deltaY : event.deltaX || event.deltaY);

  event.preventDefault();
  if (isZoom)
    zoom(2 ** (delta * 0.35), timeAt(event));
  else
    pan(delta * viewSpan() / 10);
}

function press(event) {
  pressed.set(event.pointerId, {x: event.offsetX, y: event.offsetY, t: timeAt(event),
    row: rowAt(event)});
  parts.rows.setPointerCapture(event.pointerId);
  parts.timeline.focus({preventScroll: true});
}

function move(event) {
  const at = pressed.get(event.pointerId);

  if (!at || (!at.moved && Math.hypot(event.offsetX - at.x, event.offsetY - at.y) < 4))
    return;
  at.moved = true;
  if (event.pointerType === 'touch')
    touch(event, at);
  else
    setRange(at.t, timeAt(event), [at.row, rowAt(event)]);
}

// One finger pans, two zoom.
function touch(event, at) {
  const perPixel = viewSpan() / brush.width;
  const other = [...pressed.values()].find((each) => each !== at);

  if (other) {
    const before = Math.abs(at.x - other.x);
    const now = Math.abs(event.offsetX - other.x);

    if (before > 20 && now > 20)
      zoom(before / now, state.view.t0 + perPixel * (event.offsetX + other.x) / 2);
  } else {
    pan((at.x - event.offsetX) * perPixel);
    parts.scroller.scrollTop += at.y - event.offsetY;
  }
  Object.assign(at, {x: event.offsetX, y: event.offsetY});
}

function release(event) {
  const at = pressed.get(event.pointerId);

  pressed.delete(event.pointerId);
  if (!at || event.type === 'pointercancel')
    return;
  if (!at.moved)
    click(event);
  else if (event.pointerType !== 'touch')
    showPane('selection');
}

// Folds a header; selects the longest event at most two pixels away.
function click(event) {
  const t = timeAt(event);
  const slack = viewSpan() / brush.width * 2;

  Object.assign(state, {row: rowAt(event), cursor: Math.round(t), range: null});
  const line = currentLine();

  const at = line?.events && measureEvents(line.events, t - slack, t + slack);

  if (line?.isGroup) {
    fold(line);
  } else if (at?.events) {
    state.pane = 'details';
    select(new PageEvent(line, at.longest), true);
  } else {
    state.event = null;
    changed('event');
  }
}

// Moves the window to the pressed place of the overview.
function pressStrip(event) {
  const t = meta.length * event.offsetX / Math.max(1, parts.strip.clientWidth);

  if (event.buttons & 1) // no buttons after a release
    show(t - viewSpan() / 2, t + viewSpan() / 2, event.type === 'pointermove');
}

function listenToPointers() {
  const {rows, strip} = parts;

  rows.addEventListener('wheel', turnWheel, {passive: false});
  rows.addEventListener('dblclick', fit);
  for (const [name, run] of Object.entries({pointerdown: press, pointermove: move,
    pointerup: release, pointercancel: release})) {
    rows.addEventListener(name, run);
    strip.addEventListener(name, pressStrip);
  }
}
