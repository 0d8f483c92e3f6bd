-- name: thread_utilization
-- question: Which threads use the CPU?
-- words: thread* cpu util* sampl* core* busy host
-- category: host
-- param: limit count 20 "most rows; 0: all"
-- column pid id "Process"
-- column tid id "Thread"
-- column samples count "Samples"
-- column sample_share percent "Of samples" of "samples of the window"
-- column cycles count "CPU cycles"
-- column cycle_share percent "Of cycles" of "CPU cycles of the window"
-- column thread text "Name"
-- column function text "Most sampled function"
-- column function_samples count "Samples in it"
-- column function_share percent "Of the thread" of "samples of the thread"
-- note-if: SELECT 'CPU cycles are unknown: the export''s samples have none.' FROM totals('sample', '', 'cycles') WHERE coalesce(total, 0) = 0
-- note: From CPU samples: shares are of the samples, not of wall time.
-- empty: There are no CPU samples in the window: capture with --sample=cpu.
SELECT s.pid, s.tid, s.count AS samples, 100.0 * s.count / sum(s.count) OVER () AS sample_share,
       iif(total(c.total) OVER () > 0, coalesce(c.total, 0), NULL) AS cycles,
       100.0 * coalesce(c.total, 0) / nullif(total(c.total) OVER (), 0) AS cycle_share,
       s.group_label AS thread, f.name AS function, f.most AS function_samples, 100.0 * f.most / s.count AS function_share
FROM totals('sample', 'track pid tid group_label', 'dur') s
LEFT JOIN totals('sample', 'track', 'cycles') c ON c.track = s.track
LEFT JOIN (SELECT track, name, max(count) AS most FROM totals('sample', 'track name', 'dur') GROUP BY track) f ON f.track = s.track
ORDER BY coalesce(c.total, 0) DESC, s.count DESC, s.track
