// Times, counts and shares as the terminal writes them.

// Three significant digits, rounded half up; all digits from 1000 on.
function formatRatio(part, whole) {
  let decimals = part < 10 * whole ? 2 : part < 100 * whole ? 1 : 0;
  let value = Math.floor((part * 10 ** decimals * 2 + whole) / (whole * 2));

  if (decimals && value >= 1000) {
    decimals--;
    value = Math.floor((part * 10 ** decimals * 2 + whole) / (whole * 2));
  }
  return (value / 10 ** decimals).toFixed(decimals);
}

function formatDuration(ns) {
  const n = Math.abs(ns);
  const sign = ns < 0 ? '-' : '';

  if (n < 1000)
    return `${sign}${Math.round(n)} ns`;
  if (n >= 999500000)
    return `${sign}${formatRatio(n, 1e9)} s`;
  return n >= 999500 ? `${sign}${formatRatio(n, 1e6)} ms` : `${sign}${formatRatio(n, 1000)} µs`;
}

// A point on the export's clock, exact to the ns: a BigInt, or what becomes one.
function formatInstant(t) {
  const n = BigInt(t);
  const digits = String(n < 0n ? -n : n).padStart(10, '0');
  const at = digits.length - 9;
  const groups = digits.slice(at).match(/.../g).join(' ');

  return `${n < 0n ? '-' : ''}${digits.slice(0, at)}.${groups} s`;
}

// With the decimals that a step needs.
function formatTick(t, step) {
  const n = t < 0n ? -t : t;
  let decimals = 9;

  for (let left = step; decimals && left && left % 10n === 0n; left /= 10n)
    decimals--;
  const digits = String(n / 10n ** BigInt(9 - decimals)).padStart(decimals + 1, '0');
  const at = digits.length - decimals;

  return `${t < 0n ? '-' : ''}${digits.slice(0, at)}${decimals ? '.' : ''}${digits.slice(at)} s`;
}

function formatCount(n) {
  return String(n).replace(/\B(?=(\d{3})+$)/g, ' ');
}

// 100 % only for the whole, 0 % only for nothing.
function formatPercent(part, whole) {
  if (!whole)
    return '-';
  let tenths = Math.floor((part * 2000 + whole) / (whole * 2));

  if (tenths === 1000 && part < whole)
    tenths = 999;
  if (tenths === 0 && part > 0)
    return '<0.1 %';
  return `${Math.floor(tenths / 10)}.${tenths % 10} %`;
}

function formatBytes(bytes) {
  const names = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'];
  let i = 0;

  while (i < 6 && bytes / 1024 ** i >= 1024)
    i++;
  if (i === 0)
    return `${bytes} B`;
  let tenths = Math.floor((bytes * 20 / 1024 ** i + 1) / 2);

  if (tenths >= 10240 && i < 6) {
    i++;
    tenths = 10;
  }
  return `${Math.floor(tenths / 10)}.${tenths % 10} ${names[i]}`;
}

function formatSample(value, line) {
  const prefixes = ['', 'k', 'M', 'G', 'T', 'P', 'E'];
  const unit = line.unit || '';
  const whole = unit === 'Hz' ? 1000 : 1000000;
  let scaled = value;
  let i = 0;

  if (line.bytes && value >= 0)
    return formatBytes(value);
  if (Math.abs(value) < whole)
    return unit ? `${value} ${unit}` : `${value}`;
  for (; Math.abs(scaled) >= 999.5; i++)
    scaled /= 1000;
  return `${Number(scaled.toPrecision(3))} ${prefixes[i]}${unit}`;
}
