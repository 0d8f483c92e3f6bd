-- Calls that synchronize. Of 1 M kernels they take 0.18 s with opening, and 0.82 if each call is compared.
SELECT dur, start, coalesce(process, 0) & 16777215, coalesce(tid, 0) & 16777215, stats_name(id)
FROM call WHERE name_id IN (SELECT text_id FROM totals('call', 'name') WHERE name GLOB 'cudaDeviceSynchronize*' OR name GLOB 'cudaStreamSynchronize*') ORDER BY dur DESC, source_row LIMIT :rows
