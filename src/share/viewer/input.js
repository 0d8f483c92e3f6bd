// Keys, wheel, pointer and touch: what each does to the view.

class Actions {
  constructor(state, parts) {
    this.state = state;
    this.parts = parts;
    const part = (n) => (state.view.t1 - state.view.t0) / n;
    const pane = (key) => () => this.pane(key);

    this.run = {
      'cursor-left': () => this.moveCursor(-part(100)),
      'cursor-right': () => this.moveCursor(part(100)),
      'pan-left': () => state.pan(-part(100)),
      'pan-right': () => state.pan(part(100)),
      'pan-left-far': () => state.pan(-part(4)),
      'pan-right-far': () => state.pan(part(4)),
      'go-first': () => state.pan(-state.meta.length),
      'go-last': () => state.pan(state.meta.length),
      'row-up': () => state.moveRow(state.row - 1),
      'row-down': () => state.moveRow(state.row + 1),
      'next-event': () => this.step(1),
      'prev-event': () => this.step(-1),
      'zoom-in': () => state.zoom(0.5),
      'zoom-out': () => state.zoom(2),
      'zoom-all': () => state.show(0, state.meta.length),
      'fit': () => this.fit(),
      'undo-view': () => state.undo(),
      'redo-view': () => state.redo(),
      'back-view': () => state.undo(),
      'axis-mode': () => state.toggle('relative'),
      'demangled': () => state.toggle('full'),
      'fold': () => this.fold(),
      'fold-all': () => state.foldAll(true),
      'unfold-all': () => state.foldAll(false),
      'filter': () => this.ask(),
      'find': () => this.ask(),
      'walk-next': () => this.walk(1),
      'walk-prev': () => this.walk(-1),
      'details': () => this.details(),
      'link-back': () => this.follow(false),
      'link-forward': () => this.follow(true),
      'next-same': () => this.same(1),
      'prev-same': () => this.same(-1),
      'next-iteration': () => this.iteration(1),
      'prev-iteration': () => this.iteration(-1),
      'bookmarks': pane('bookmarks'),
      'next-bookmark': () => this.mark('bookmarks', 1),
      'prev-bookmark': () => this.mark('bookmarks', -1),
      'tree': pane('tree'),
      'overlap': pane('overlap'),
      'findings': pane('findings'),
      'next-finding': () => this.mark('findings', 1),
      'prev-finding': () => this.mark('findings', -1),
      'range-mark': () => this.rangeMark(),
      'range-start': () => this.rangeEdge('t0'),
      'range-end': () => this.rangeEdge('t1'),
      'range-event': () => this.rangeEvent(),
      'statistics': pane('selection'),
      'info': pane('about'),
      'help': pane('about'),
      'pane-next': () => this.region(),
      'cancel': () => this.cancel(),
    };
    this.at = {};
    this.walk = (by) => this.hit(by); // through the list used last
    this.byKey = new Map();
    for (const [name, keys] of state.meta.keys)
      for (const key of keys.split(' ').filter(Boolean))
        if (this.run[name])
          this.byKey.set(key, name);
  }

  key(event) {
    const names = {ArrowLeft: 'Left', ArrowRight: 'Right', ArrowUp: 'Up', ArrowDown: 'Down',
      PageUp: 'PgUp', PageDown: 'PgDn', Escape: 'Esc', ' ': 'Space'};
    const base = names[event.key] || event.key;
    const letter = event.key.length === 1 && event.key !== ' ';
    const key = `${event.ctrlKey ? 'Ctrl-' : ''}${event.altKey ? 'Alt-' : ''}` +
      `${event.shiftKey && !letter ? 'Shift+' : ''}${event.ctrlKey ? base.toUpperCase() : base}`;

    return this.byKey.get(key);
  }

  pane(key) {
    this.state.pane = key;
    this.state.changed('pane');
  }

  // To the next region of the page: timeline, tabs, pane.
  region() {
    const {main, tablist, pane} = this.parts;
    const at = [main, tablist, pane].findIndex((part) => part.contains(document.activeElement));
    const next = [main, tablist.querySelector('[aria-selected=true]'), pane][(at + 1) % 3];

    next.focus();
  }

  cancel() {
    this.state.range = null;
    this.state.mark = null;
    this.state.event = -1;
    this.state.changed('event');
  }

  fold() {
    const line = this.state.line();

    if (line)
      this.state.fold(this.state.model.group(line));
  }

  details() {
    const line = this.state.line();

    if (line && line.kind === 'group')
      this.fold();
    else
      this.pane('details');
  }

  // To the time beside it; selects the event there.
  moveCursor(ns) {
    const {state} = this;
    const {view} = state;
    const line = state.line();
    const t = Math.max(0, Math.min(state.meta.length - 1, Math.round(state.cursor + ns)));
    const i = line && line.events ? firstTouching(line.events, t) : -1;

    state.cursor = t;
    if (t < view.t0 || t >= view.t1)
      state.pan(ns);
    state.event = i >= 0 && i < line.events.n && line.events.start[i] <= t
      ? state.model.numberOf(line, i) : -1;
    state.changed('event');
  }

  // The next or previous event of the row.
  step(by) {
    const {state} = this;
    const line = state.line();
    const at = state.selected();

    if (!line || !line.events || !line.events.n)
      return;
    let i = at && at.line === line ? at.i + by : firstTouching(line.events, state.cursor);

    i = Math.max(0, Math.min(line.events.n - 1, i));
    state.select(line, i);
  }

  fit() {
    const at = this.state.selected();
    const from = at ? at.line.events.start[at.i] : this.state.range && this.state.range.t0;
    const to = at ? at.line.events.end[at.i] : this.state.range && this.state.range.t1;

    if (from !== null && to !== null)
      this.state.show(from - (to - from) * 0.05, to + (to - from) * 0.05);
  }

  // ---- search ----

  ask() {
    this.pane('search');
    document.getElementById('find').focus();
  }

  find(text) {
    const {state} = this;

    this.walk = (by) => this.hit(by);
    state.needle = text;
    state.hits = text ? state.model.search(text, 100000) : [];
    state.hit = state.hits.findIndex((at) => at.line.events.start[at.i] >= state.view.t0) - 1;
    state.changed('pane');
    this.hit(1);
  }

  hit(by) {
    const {state} = this;

    if (!state.hits.length)
      return;
    state.hit = (state.hit + by + state.hits.length) % state.hits.length;
    state.select(state.hits[state.hit].line, state.hits[state.hit].i);
  }

  same(by) {
    const {state} = this;
    const at = state.selected();

    if (!at)
      return;
    const {events} = at.line;

    for (let i = at.i + by; i >= 0 && i < events.n; i += by)
      if (events.title[i] === events.title[at.i]) {
        state.select(at.line, i);
        return;
      }
  }

  // From an op to its launch and back; from a range to the range around it.
  follow(forward) {
    const {state} = this;
    const at = state.selected();

    if (!at)
      return;
    const linked = state.model.eventAt(at.line.events.link[at.i] - 1);
    const around = state.model.path(at.line.group, at.line.events.start[at.i])
      .filter((each) => each.line !== at.line && each.line.index < at.line.index).pop();

    if (linked && nsKind(at) !== forward)
      state.select(linked.line, linked.i);
    else if (!forward && around)
      state.select(around.line, around.i);
  }

  // ---- bookmarks, findings, iterations: one after the other ----

  mark(list, by) {
    const {state} = this;
    const all = state.meta[list].filter((each) => each.window || each.zoom || each.range ||
      each.time !== undefined);

    if (!all.length)
      return;
    this.walk = (step) => this.mark(list, step);
    const last = list in this.at ? this.at[list] : by > 0 ? -1 : 0;
    const each = all[this.at[list] = (last + by + all.length) % all.length];

    this.panes.goTo(each.window || each.zoom || each.range || [each.time, each.time + 1],
      each.track, each.event);
  }

  iteration(by) {
    const {state} = this;
    const all = state.meta.iterations;
    const now = all.filter(([t0]) => t0 <= state.view.t0).length - 1;
    const next = all[Math.max(0, Math.min(all.length - 1, now + by))];

    if (next)
      state.show(next[0], next[1]);
  }

  // ---- the range ----

  rangeMark() {
    const {state} = this;

    if (state.mark === null) {
      state.mark = state.cursor;
    } else {
      const [t0, t1] = [state.mark, state.cursor].sort((a, b) => a - b);

      state.range = {t0, t1: Math.max(t0 + 1, t1), rows: [state.row, state.row]};
      state.mark = null;
      this.pane('selection');
    }
    state.changed('range');
  }

  rangeEdge(edge) {
    const {state} = this;
    const range = state.range || {t0: state.view.t0, t1: state.view.t1, rows: null};
    const next = {...range, [edge]: state.cursor};

    if (next.t0 < next.t1)
      state.range = next;
    state.changed('range');
  }

  rangeEvent() {
    const at = this.state.selected();

    if (at)
      this.state.range = {t0: at.line.events.start[at.i], t1: touchEnd(at.line.events, at.i),
        rows: null};
    this.state.changed('range');
  }
}

// Wheel, mouse and touch on the rows; a click or drag on the overview.
class Pointer {
  constructor(state, parts) {
    this.state = state;
    this.parts = parts;
    this.down = new Map();
    parts.rows.addEventListener('wheel', (event) => this.wheel(event), {passive: false});
    for (const [name, run] of [['pointerdown', 'press'], ['pointermove', 'move'],
      ['pointerup', 'release'], ['pointercancel', 'release']]) {
      parts.rows.addEventListener(name, (event) => this[run](event));
      parts.strip.addEventListener(name, (event) => this.strip(event));
    }
    parts.rows.addEventListener('dblclick', () => parts.actions.fit());
  }

  time(event) {
    const {t0, t1} = this.state.view;

    return t0 + (t1 - t0) * event.offsetX / Math.max(1, this.parts.rows.clientWidth);
  }

  rowAt(event) {
    const row = Math.floor((event.offsetY + this.parts.scroller.scrollTop) / ROW);

    return Math.max(0, Math.min(this.state.shown.length - 1, row));
  }

  wheel(event) {
    const span = this.state.view.t1 - this.state.view.t0;

    if (event.ctrlKey || (!event.shiftKey && !event.altKey && event.deltaY)) {
      event.preventDefault();
      this.state.zoom(2 ** (Math.sign(event.deltaY) * 0.35), this.time(event));
    } else if (event.shiftKey || event.deltaX) {
      event.preventDefault();
      this.state.pan(Math.sign(event.deltaX || event.deltaY) * span / 10);
    }
  }

  press(event) {
    this.down.set(event.pointerId, {x: event.offsetX, y: event.offsetY, t: this.time(event),
      row: this.rowAt(event), moved: false});
    this.parts.rows.setPointerCapture(event.pointerId);
    this.parts.main.focus({preventScroll: true});
  }

  move(event) {
    const at = this.down.get(event.pointerId);

    if (!at || (!at.moved && Math.hypot(event.offsetX - at.x, event.offsetY - at.y) < 4))
      return;
    at.moved = true;
    if (event.pointerType === 'touch')
      this.touch(event, at);
    else
      this.drag(event, at);
  }

  drag(event, at) {
    const [t0, t1] = [at.t, this.time(event)].sort((a, b) => a - b);
    const rows = [at.row, this.rowAt(event)].sort((a, b) => a - b);

    this.state.range = {t0: Math.round(t0), t1: Math.max(Math.round(t0) + 1, Math.round(t1)), rows};
    this.state.changed('range');
  }

  // One finger pans, two zoom.
  touch(event, at) {
    const {state} = this;
    const perPixel = (state.view.t1 - state.view.t0) / this.parts.rows.clientWidth;
    const other = [...this.down.entries()].find(([id]) => id !== event.pointerId);

    if (other) {
      const before = Math.abs(at.x - other[1].x);
      const now = Math.abs(event.offsetX - other[1].x);

      if (before > 20 && now > 20)
        state.zoom(before / now, state.view.t0 + perPixel * (event.offsetX + other[1].x) / 2);
    } else {
      state.pan((at.x - event.offsetX) * perPixel);
      this.parts.scroller.scrollTop += at.y - event.offsetY;
    }
    at.x = event.offsetX;
    at.y = event.offsetY;
  }

  release(event) {
    const at = this.down.get(event.pointerId);

    this.down.delete(event.pointerId);
    if (!at || event.type === 'pointercancel')
      return;
    if (!at.moved)
      this.click(event);
    else if (event.pointerType !== 'touch')
      this.parts.actions.pane('selection');
  }

  click(event) {
    const {state} = this;
    const line = state.shown[this.rowAt(event)];
    const t = this.time(event);
    const slack = (state.view.t1 - state.view.t0) / this.parts.rows.clientWidth * 2;

    state.row = this.rowAt(event);
    state.cursor = Math.round(t);
    state.range = null;
    if (line && line.kind === 'group') {
      state.fold(line);
      return;
    }
    const at = line && line.events ? measureEvents(line.events, t - slack, t + slack) : null;

    if (at && at.longest >= 0) {
      state.pane = 'details';
      state.select(line, at.longest, true);
    } else {
      state.event = -1;
      state.changed('event');
    }
  }

  // The overview: the window goes where it is pressed.
  strip(event) {
    const {state} = this;
    const span = state.view.t1 - state.view.t0;

    if (!(event.buttons & 1) || event.type === 'pointerup')
      return;
    const t = state.meta.length * event.offsetX / Math.max(1, this.parts.strip.clientWidth);

    state.show(t - span / 2, t + span / 2, event.type === 'pointermove');
  }
}
