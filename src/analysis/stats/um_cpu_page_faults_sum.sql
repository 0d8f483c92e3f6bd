-- The instructions that fault.
SELECT count(*) AS n, stats_field(id, 'CPU_FAULTS', 1) FROM fault WHERE kind_label = 'CPU page fault'
GROUP BY stats_field(id, 'CPU_FAULTS', 1, 1) ORDER BY n DESC, stats_field(id, 'CPU_FAULTS', 1, 1) NULLS LAST
