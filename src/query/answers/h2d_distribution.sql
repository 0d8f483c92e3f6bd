-- name: h2d_distribution
-- question: When does data go to each GPU?
-- words: h2d distribution data load* second* when copies host
-- category: memory
-- needs: op "GPU work"
-- column gpu id "GPU"
-- column second count "Second"
-- column count count "Copies"
-- column bytes bytes "Bytes"
-- column share percent "Share" of "bytes to the GPU in the window"
-- column total_ns ns "Time"
-- column avg_gbps number 2 "GB/s"
-- note-if: SELECT printf('GPU %d: %.1f %% of the bytes are copied in the first two seconds of the window.', device, 100.0 * total(bytes * (clip_start - :window_start < 2000000000)) / total(bytes)) FROM copy WHERE kind_label = 'copy host to device' AND bytes >= 0 GROUP BY group_track HAVING total(bytes) > 0 ORDER BY group_track
-- note: Seconds count from the window's start. A copy belongs to the second in which it begins.
-- empty: There are no copies from host to device in the window.
SELECT gpu, second, count(*) AS count, total(bytes) AS bytes,
       100.0 * total(bytes) / total(total(bytes)) OVER (PARTITION BY group_track) AS share,
       total(dur) AS total_ns, 1.0 * total(bytes) / total(dur * (bytes >= 0)) AS avg_gbps
FROM (SELECT gpu, group_track, dur, iif(bytes >= 0, bytes, NULL) AS bytes,
             min((clip_start - :window_start) / 1000000000, 99999) AS second
      FROM copy WHERE kind_label = 'copy host to device')
GROUP BY group_track, second ORDER BY group_track, second
