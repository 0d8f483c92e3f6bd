// Reads the packed data of the page: base64 of DEFLATE, with a JSON description and numbers.

// All browsers have supported this since 2023.
async function inflate(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));

  return new Uint8Array(await new Response(stream).arrayBuffer());
}

function bytesOfBase64(text) {
  const binary = atob(text.trim());

  return new Uint8Array(binary.length).map((_, i) => binary.charCodeAt(i));
}

// Reads LEB128 numbers one after the other.
class Reader {
  constructor(bytes, at) {
    this.bytes = bytes;
    this.at = at;
  }

  uint() {
    let value = 0;
    let scale = 1;
    let byte = this.bytes[this.at++];

    while (byte > 127) {
      value += (byte - 128) * scale;
      scale *= 128;
      byte = this.bytes[this.at++];
    }
    return value + byte * scale;
  }

  // Zigzag: 0, -1, 1, -2 ...
  int() {
    const value = this.uint();

    return value % 2 ? -(value + 1) / 2 : value / 2;
  }

  uints(n) {
    return new Float64Array(n).map(() => this.uint());
  }

  ints(n) {
    return new Float64Array(n).map(() => this.int());
  }

  // Each number is the difference to the previous one.
  sums(n) {
    let sum = 0;

    return this.ints(n).map((each) => sum += each);
  }
}

// Disjoint ascending intervals, with the sum of the earlier ones before each.
function spans(start, length) {
  const before = new Float64Array(start.length + 1);

  length.forEach((each, i) => before[i + 1] = before[i] + each);
  return {n: start.length, start, end: length.map((each, i) => start[i] + each), before};
}

// Readers for lists. A list of the description is [byte offset, count].
const readers = {
  // The events of a lane, by start. They never overlap, so the ends ascend too.
  events: (reader, n) => {
    const start = reader.sums(n);
    const length = reader.uints(n);

    return {...spans(start, length), title: reader.uints(n), link: reader.sums(n),
      source: reader.sums(n), shape: reader.uints(n)};
  },
  // The exact sums of a lane, in columns of the whole trace.
  columns: (reader, n) => {
    const busy = reader.uints(n);
    const events = reader.uints(n);
    const title = reader.uints(n).map((each) => each - 1);

    return {busy, title, starts: events.map((each) => Math.floor(each / 2)),
      enters: events.map((each) => each % 2),
      longest: title.map((each) => each < 0 ? 0 : reader.uint())};
  },
  // Samples of a counter: alternating time (as a sum) and value.
  samples: (reader, n) => {
    const time = new Float64Array(n);
    const value = new Float64Array(n);

    for (let i = 0, t = 0; i < n; i++) {
      time[i] = t += reader.int();
      value[i] = reader.int();
    }
    return {n, time, value};
  },
  // Disjoint ascending intervals, with the time covered before each.
  covers: (reader, n) => {
    const start = new Float64Array(n);
    const length = new Float64Array(n);

    for (let i = 0, t = 0; i < n; i++) {
      start[i] = t + reader.int();
      length[i] = reader.uint();
      t = start[i] + length[i];
    }
    return spans(start, length);
  },
  coverColumns: (reader, n) => reader.uints(n),
};

// Returns the description, with typed arrays instead of lists.
function unpack(bytes) {
  const length = new DataView(bytes.buffer).getUint32(0, true);
  const data = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
  const packed = bytes.subarray(4 + length);

  for (const line of data.lines)
    for (const [key, read] of Object.entries(readers)) {
      const one = ([at, n]) => read(new Reader(packed, at), n);
      const lists = line[key] || [];

      if (Array.isArray(lists))
        line[key] = lists.length ? one(lists) : undefined;
      else
        for (const name of Object.keys(lists))
          lists[name] = one(lists[name]);
    }
  return data;
}
