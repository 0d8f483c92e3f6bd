#!/bin/sh
# bins gives the same figures as a plain SQL query, column by column, to the nanosecond.
. "$(dirname "$0")/lib.sh"

expect 0 "$program" generate --force --kernels 3000 --layers 3 --streams 2 t.sqlite

# naive WHERE T0 T1 N: prints the figures of each column by SQL; column i begins at t0 + (d/n)*i + (d%n)*i/n, where d = t1 - t0.
work="SELECT start, end, deviceId AS d, streamId AS s, 1 AS kernel FROM CUPTI_ACTIVITY_KIND_KERNEL
  UNION ALL SELECT start, end, deviceId, streamId, 0 FROM CUPTI_ACTIVITY_KIND_MEMCPY
  UNION ALL SELECT start, end, deviceId, streamId, 0 FROM CUPTI_ACTIVITY_KIND_MEMSET
  UNION ALL SELECT start, end, deviceId, streamId, 0 FROM CUPTI_ACTIVITY_KIND_GRAPH_TRACE"
naive() {
    sqlite3 -csv t.sqlite "WITH RECURSIVE i(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM i WHERE n + 1 < $4),
      c AS (SELECT n, $2 + ($3 - $2) / $4 * n + ($3 - $2) % $4 * n / $4 AS c0,
                   $2 + ($3 - $2) / $4 * (n + 1) + ($3 - $2) % $4 * (n + 1) / $4 AS c1 FROM i),
      w AS ($work)
      SELECT c0, c1, coalesce(sum(min(end, c1) - max(start, c0)), 0), count(start), coalesce(max(end - start), 0)
      FROM c LEFT JOIN w ON $1 AND start < c1 AND end > c0 GROUP BY n ORDER BY n"
}

compare() { # WHERE T0 T1 N, then the options of bins
    naive "$1" "$2" "$3" "$4" >want
    where=$1 t0=$2 t1=$3 n=$4
    shift 4
    expect 0 "$program" bins t.sqlite "$@" --window "$t0" "$t1" --columns "$n" --csv
    sed 1d out | awk -F, -v OFS=, '{ print $1, $2, $3, $4, $NF }' >got
    cmp want got || { fail "bins $* differ from SQL where $where"; diff want got | head -4; }
}

end=$(sqlite3 t.sqlite "SELECT max(end) FROM CUPTI_ACTIVITY_KIND_KERNEL")
for n in 1 7 100; do
    compare "d = 0 AND s = 7" 0 "$end" $n --stream 0:7
    compare "d = 1" 0 "$end" $n --device 1
    compare "d = 0 AND s = 300" $((end / 3)) $((end / 3 + 400001)) $n --stream 0:300
    compare "d = 0 AND s = 7 AND kernel" -5000 $((end / 2)) $n --stream 0:7 --filter kind:kernel
    compare "d = 0 AND end - start > 30000" 0 "$end" $n --device 0 --filter 'dur>30us'
done
compare "d = 0 AND s = 7" 2000000 2000050 100 --stream 0:7
compare "d = 5" 0 1000 1 --device 0 --filter gpu:5

expect 0 "$program" bins t.sqlite --device 0 --columns 3 --json
prints '"busy_ns"'
expect 0 "$program" bins t.sqlite --device 0 --columns 3 --union
awk -F, 'NR > 1 && $3 > $2 - $1 { exit 1 }' out || fail "the union is larger than its column"
expect 7 "$program" bins t.sqlite --device 9
says "info --lanes"
expect 2 "$program" bins t.sqlite --device 0 --filter 'dur>>5'
expect 2 "$program" bins t.sqlite
finish
