-- Copies by asynchronous calls that block, because their memory is pageable.
SELECT dur, start, stats_memory(source), stats_memory(target), size, coalesce(process, 0) & 16777215, coalesce(device, -1), coalesce(context, -1), iif(green > 0, green, NULL), coalesce(stream, -1), api
FROM (SELECT id, dur, start, kind_label, process, device, context, stream, source_row, stats_name(call) AS api, stats_field(id, 'COPY', 1) AS green, stats_field(id, 'COPY', 2) AS size, stats_field(id, 'COPY', 4) AS source, stats_field(id, 'COPY', 5) AS target FROM copy)
WHERE api GLOB 'cudaMemcpy*' AND contains(api, 'async') AND (source = 0 OR target = 0) ORDER BY dur DESC, source_row LIMIT :rows
