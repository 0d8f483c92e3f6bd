-- A CPU bottleneck: 20 steps of 10 ms. Python takes 1 ms between two launches, a kernel takes 0.3 ms.
WITH RECURSIVE step(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM step WHERE i < 19)
INSERT INTO NVTX_EVENTS (start, end, eventType, text, globalTid, domainId)
SELECT 10000000 * i + i * 7919 % 60000, 10000000 * i + 9990000, 59, 'step ' || i, tid, 0 FROM step, me;
WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 179)
INSERT INTO NVTX_EVENTS (start, end, eventType, text, globalTid, domainId)
SELECT 10000000 * (i / 9) + 80000 + i % 9 * 1080000, 10000000 * (i / 9) + 80000 + i % 9 * 1080000 + 1050000 + i * 7919 % 9000, 59, 'postprocess', tid, 0 FROM n, me;
WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 179)
INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME
SELECT 10000000 * (i / 9) + 80000 + i % 9 * 1080000 + 1000000, 10000000 * (i / 9) + 80000 + i % 9 * 1080000 + 1007000 + i * 7919 % 900, 0, tid, i + 1, 3, 0 FROM n, me;
WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 179)
INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL
SELECT 10000000 * (i / 9) + 80000 + i % 9 * 1080000 + 1010000, 10000000 * (i / 9) + 80000 + i % 9 * 1080000 + 1310000 + i * 7919 % 9000, 0, 1, 7, i + 1, pid, 1, 1 FROM n, me;
