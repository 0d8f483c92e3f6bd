-- Copies that block the host. Those inside and between devices do not, nor do small ones to a device, which the driver takes over at once.
SELECT dur, start, stats_memory(source), stats_memory(target), size, coalesce(process, 0) & 16777215, coalesce(device, -1), coalesce(context, -1), iif(green > 0, green, NULL), coalesce(stream, -1), api
FROM (SELECT id, dur, start, kind_label, process, device, context, stream, source_row, stats_name(call) AS api, stats_field(id, 'COPY', 1) AS green, stats_field(id, 'COPY', 2) AS size, stats_field(id, 'COPY', 4) AS source, stats_field(id, 'COPY', 5) AS target FROM copy)
WHERE api GLOB 'cudaMemcpy*' AND NOT contains(api, 'async') AND kind_label NOT IN ('copy device to device', 'copy peer to peer') AND NOT (kind_label = 'copy host to device' AND coalesce(size, -1) BETWEEN 0 AND 65536)
ORDER BY dur DESC, source_row LIMIT :rows
