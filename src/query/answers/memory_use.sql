-- name: memory_use
-- question: How much memory does each process use on a GPU, and when most?
-- words: memory vram peak use* used allocat* footprint oom free left
-- category: memory
-- needs: op "GPU work"
-- column gpu id "GPU"
-- column pid id "Process"
-- column peak_bytes bytes "Most"
-- column peak_at_ns time "From"
-- column end_bytes bytes "At the end"
-- column capacity_bytes bytes "Of the GPU"
-- column what text "What"
-- note: Memory that the process allocated and did not free during the recording, by kind. A caching allocator keeps more than its tensors need.
-- empty: Memory in use is not recorded.
SELECT gpu, coalesce(pid, 0) AS pid, value AS peak_bytes, clip_start AS peak_at_ns, last AS end_bytes,
       capacity AS capacity_bytes, track_label AS what
FROM (SELECT gpu, pid, value, clip_start, capacity, track_label, track,
             row_number() OVER (PARTITION BY track ORDER BY value DESC, start, rowid) AS place,
             first_value(value) OVER (PARTITION BY track ORDER BY start DESC, rowid DESC) AS last
      FROM counter WHERE is_memory = 1)
WHERE place = 1 ORDER BY track
