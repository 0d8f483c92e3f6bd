-- OpenACC events by kind and line: "Compute Construct@file.c:84".
WITH construct AS (SELECT stats_known(stats_name(id)) AS name, dur, coalesce(stats_field(id, 'ACC_DATA', 1), stats_field(id, 'ACC_LAUNCH', 1), stats_field(id, 'ACC_OTHER', 1)) AS file,
                          coalesce(stats_field(id, 'ACC_DATA', 0), stats_field(id, 'ACC_LAUNCH', 0), stats_field(id, 'ACC_OTHER', 0)) AS line FROM openacc)
SELECT total(dur) * 100.0 / nullif(total(total(dur)) OVER (), 0), total(dur) AS sum, count(*), mean(dur), median(dur), min(dur), max(dur), stdev(dur), label
FROM (SELECT name || iif(file <> '', '@' || file || coalesce(':' || line, ''), '') AS label, dur FROM construct) GROUP BY label ORDER BY sum DESC, label
