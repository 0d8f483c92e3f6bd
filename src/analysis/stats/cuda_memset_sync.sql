-- Memsets of pinned or managed memory that block the host.
SELECT dur, start, stats_memory(memory), size, coalesce(process, 0) & 16777215, coalesce(device, -1), coalesce(context, -1), iif(green > 0, green, NULL), coalesce(stream, -1), api
FROM (SELECT id, dur, start, kind_label, process, device, context, stream, source_row, stats_name(call) AS api, stats_field(id, 'MEMSET', 1) AS green, stats_field(id, 'MEMSET', 2) AS size, stats_field(id, 'MEMSET', 3) AS memory FROM memset)
WHERE api GLOB 'cudaMemset*' AND NOT contains(api, 'async') AND memory IN (1, 4) ORDER BY dur DESC, source_row LIMIT :rows
