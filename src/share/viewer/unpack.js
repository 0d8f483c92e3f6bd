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
    for (let value = 0, scale = 1; ; scale *= 128) {
      const byte = this.bytes[this.at++];

      value += byte % 128 * scale;
      if (!(byte > 127))
        return value;
    }
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

  // Two lists of alternating numbers. The first are differences, as in sums.
  pairs(n) {
    const lists = [new Float64Array(n), new Float64Array(n)];

    for (let i = 0, sum = 0; i < n; i++) {
      lists[0][i] = sum += this.int();
      lists[1][i] = this.int();
    }
    return lists;
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
  events: (reader, n) => ({...spans(reader.sums(n), reader.uints(n)), title: reader.uints(n),
    link: reader.sums(n), source: reader.sums(n), shape: reader.uints(n)}),
  // The exact sums of a lane, in columns of the whole trace. Starts: twice the number of events
  // that start in the column, plus 1 if one enters. Titles are numbered from 1.
  columns: (reader, n) => {
    const columns = {busy: reader.uints(n), starts: reader.uints(n), title: reader.uints(n)};

    return {...columns, longest: columns.title.map((title) => title && reader.uint())};
  },
  samples: (reader, n) => {
    const [time, value] = reader.pairs(n);

    return {n, time, value};
  },
  covers: (reader, n) => spans(...reader.pairs(n)),
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
      const lists = line[key] || {};

      if (Array.isArray(lists))
        line[key] = one(lists);
      else
        for (const name of Object.keys(lists))
          lists[name] = one(lists[name]);
    }
  return data;
}
