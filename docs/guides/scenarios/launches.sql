-- Small launches: 20 steps of 10 ms, 800 kernels of about 4 us each. A launch takes 8 us, so that the GPU waits for the next.
WITH RECURSIVE step(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM step WHERE i < 19)
INSERT INTO NVTX_EVENTS (start, end, eventType, text, globalTid, domainId)
SELECT 10000000 * i + i * 7919 % 60000, 10000000 * i + 9990000, 59, 'step ' || i, tid, 0 FROM step, me;
WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 15999)
INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME
SELECT 10000000 * (i / 800) + 80000 + i % 800 * 12000, 10000000 * (i / 800) + 80000 + i % 800 * 12000 + 8000 + i * 7919 % 900, 0, tid, i + 1, 3, 0 FROM n, me;
WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 15999)
INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL
SELECT 10000000 * (i / 800) + 90500 + i % 800 * 12000, 10000000 * (i / 800) + 90500 + i % 800 * 12000 + 3600 + i * 7919 % 900, 0, 1, 7, i + 1, pid, 2 + i % 2 * 6, 2 + i % 2 * 6 FROM n, me;
