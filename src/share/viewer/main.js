// Builds the page from its data, and keeps its parts in step.

function layoutPage(meta) {
  const parts = {
    title: make('h1', {}, 'nsyscope'),
    when: make('p', {id: 'when'}),
    tools: make('div', {role: 'toolbar', 'aria-label': 'View'}),
    strip: make('canvas', {id: 'strip', role: 'img', 'aria-label': 'Overview of the whole time'}),
    labels: make('div', {id: 'labels', role: 'list', 'aria-label': 'Rows of the timeline'}),
    rows: make('canvas', {id: 'rows', role: 'img', 'aria-label': 'Events of the rows'}),
    status: make('p', {id: 'status', role: 'status'}),
    tablist: make('div', {role: 'tablist', 'aria-label': 'Panes'}),
    pane: make('div', {id: 'pane', role: 'tabpanel', tabindex: 0}),
  };

  parts.scroller = make('div', {id: 'scroller'}, parts.labels, parts.rows);
  parts.main = make('div', {id: 'timeline', tabindex: 0, role: 'application',
    'aria-label': 'Timeline. Arrow keys pan and change the row, plus and minus zoom, Tab goes to ' +
    'the next event, F6 leaves.'}, parts.strip, parts.scroller);
  document.body.append(make('header', {}, parts.title, parts.when, parts.tools),
    ...meta.notes.map((note) => make('p', {class: 'cut'}, note)),
    make('main', {}, parts.main, parts.status, parts.tablist, parts.pane));
  return parts;
}

// Colours of the theme as CSS variables.
function applyTheme(painter) {
  const {roles} = painter.colors();
  const style = document.documentElement.style;

  for (const [role, [fg, bg]] of Object.entries(roles)) {
    style.setProperty(`--${role}`, fg);
    style.setProperty(`--${role}-bg`, bg);
  }
}

// The share of the window that a row is busy, beside its label.
function shareText(state, line) {
  const {t0, t1} = state.view;

  if (line.kind === 'counter' || line.kind === 'overlap')
    return '';
  if (line.kind === 'group') {
    const at = line.covers || line.coverColumns ? measureDevice(state.meta, line, t0, t1) : null;

    return at && state.folded.has(line.track) ? formatPercent(at.busy, at.window) : '';
  }
  const at = measureLine(state.meta, line, t0, t1);

  return at.busy || !at.events ? formatPercent(at.busy, at.t1 - at.t0) : `${at.events} ev`;
}

class Labels {
  constructor(state, parts) {
    this.state = state;
    this.parts = parts;
  }

  rebuild() {
    const {state, parts} = this;

    this.shares = state.shown.map(() => make('span', {class: 'share'}));
    parts.labels.replaceChildren(...state.shown.map((line, i) => {
      const isGroup = line.kind === 'group';
      const mark = isGroup ? state.folded.has(line.track) ? '▸ ' : '▾ ' : '';
      const label = button(make('span', {class: 'name'}, mark + (isGroup && line.label.length > 28
        ? line.label.split(' · ').pop() : line.label)), () => {
        state.row = i;
        if (isGroup)
          state.fold(line);
        else
          state.changed('row');
      }, {title: line.label, tabindex: -1, class: isGroup ? 'group' : undefined,
        'aria-expanded': isGroup ? String(!state.folded.has(line.track)) : undefined});

      label.append(this.shares[i]);
      label.style.paddingLeft = `${isGroup ? 0.4 : 1.4}em`;
      return make('div', {role: 'listitem'}, label);
    }));
    parts.scroller.style.setProperty('--rows', state.shown.length);
    this.update();
  }

  // Shares of the rows in sight only.
  update() {
    const {state, parts} = this;
    const first = Math.floor(parts.scroller.scrollTop / ROW);
    const end = Math.min(state.shown.length, first + Math.ceil(parts.rows.clientHeight / ROW) + 1);

    for (let i = first; i < end; i++)
      this.shares[i].textContent = shareText(state, state.shown[i]);
    for (const item of parts.labels.querySelectorAll('[aria-current]')) {
      item.removeAttribute('aria-current');
      item.tabIndex = -1;
    }
    const current = parts.labels.children[state.row] && parts.labels.children[state.row].firstChild;

    if (current) {
      current.setAttribute('aria-current', 'true');
      current.tabIndex = 0;
    }
  }

  // Scrolls the row with the cursor into sight.
  reveal() {
    const {scroller, rows} = this.parts;
    const top = this.state.row * ROW;

    if (top < scroller.scrollTop)
      scroller.scrollTop = top;
    else if (top + ROW > scroller.scrollTop + rows.clientHeight)
      scroller.scrollTop = top + ROW - rows.clientHeight;
  }
}

// One line about the event, or the row, for eyes and screen readers.
function statusText(state) {
  const at = state.selected();
  const line = state.line();

  if (!at)
    return line ? `${line.label}: ${state.model.when(state.cursor)}` : '';
  const {events} = at.line;

  return `${state.model.title(events.title[at.i]).brief} · ` +
    `${formatDuration(events.end[at.i] - events.start[at.i])} · ` +
    `${state.model.when(events.start[at.i])} · ${at.line.label}`;
}

function tools(state, parts, painter) {
  const {actions} = parts;
  const switchTheme = () => {
    state.theme = painter.colors() === state.meta.themes.light ? 'dark' : 'light';
    applyTheme(painter);
    state.changed();
  };

  parts.tools.append(button('−', actions.run['zoom-out'], {'aria-label': 'Zoom out'}),
    button('+', actions.run['zoom-in'], {'aria-label': 'Zoom in'}),
    button('Whole', actions.run['zoom-all']), button('Back', actions.run['undo-view']),
    button('Find', actions.run.find), button('Theme', switchTheme),
    button('Print', () => window.print()), button('Keys', actions.run.help));
}

function wire(state, parts, painter, panes) {
  const labels = new Labels(state, parts);
  let later = 0;
  const settle = () => {
    history.replaceState(null, '', `#${state.fragment()}`);
    if (state.pane === 'selection' || (state.pane === 'details' && state.event < 0))
      panes.draw();
    labels.update();
  };
  const changed = (what) => {
    const {view, model} = state;

    if (what === 'rows')
      labels.rebuild();
    if (what === 'row' || what === 'event')
      labels.reveal();
    parts.when.textContent = `${model.when(view.t0)} … ` +
      `${model.when(view.t1)} · ${formatDuration(view.t1 - view.t0)} of ` +
      `${formatDuration(state.meta.length)}`;
    parts.status.textContent = statusText(state);
    if (what === 'pane' || what === 'event')
      panes.draw();
    if (what === 'event' && state.shown.length !== parts.labels.children.length)
      labels.rebuild();
    painter.ask();
    clearTimeout(later);
    later = setTimeout(settle, 80);
  };

  state.listeners.push(changed);
  parts.scroller.addEventListener('scroll', () => {
    painter.ask();
    labels.update();
  });
  document.addEventListener('keydown', (event) => keyDown(event, parts));
  new ResizeObserver(() => painter.ask()).observe(parts.rows);
  matchMedia('(prefers-color-scheme: light)').addEventListener('change', () => {
    applyTheme(painter);
    painter.ask();
  });
  window.addEventListener('beforeprint', () => painter.draw());
  labels.rebuild();
  changed('event');
  changed('row');
}

// Keys of the timeline work everywhere but in fields; Tab and Enter only in the timeline.
function keyDown(event, parts) {
  const inField = event.target.matches && event.target.matches('input');
  const inTimeline = event.target === parts.main || event.target === document.body;
  const name = parts.actions.key(event);
  const isPlain = ['Tab', 'Enter', ' ', 'ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Home',
    'End', 'PageUp', 'PageDown'].includes(event.key);

  if (inField && event.key === 'Escape')
    parts.main.focus();
  if (!name || inField || (isPlain && !inTimeline) || event.metaKey ||
      (event.key === 'Tab' && event.target !== parts.main))
    return;
  event.preventDefault();
  parts.actions.run[name]();
}

async function start() {
  const meta = unpack(await inflate(bytesOfBase64(document.getElementById('data').textContent)));
  const state = new State(meta);
  const parts = layoutPage(meta);
  const painter = new Painter(state, parts);

  document.title = `${meta.files.map((file) => file.name).join(', ')} · nsyscope`;
  parts.title.textContent = meta.files.map((file) => file.name).join(', ');
  parts.actions = new Actions(state, parts);
  state.restore(location.hash.slice(1));
  const panes = new Panes(state, parts, parts.actions);

  parts.actions.panes = panes;
  parts.pointer = new Pointer(state, parts);
  applyTheme(painter);
  tools(state, parts, painter);
  wire(state, parts, painter, panes);
  // For tests and for the curious in the browser's console.
  window.nsyscope = {meta, state, painter, model: state.model, actions: parts.actions,
    measureLine, measureDevice, cutOf};
}

if (typeof document !== 'undefined')
  start().catch((error) => document.body.append(`This browser cannot show the page: ${error}`));
