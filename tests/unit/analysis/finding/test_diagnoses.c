/*
 * Unit tests of the rules of findings and their severity, with traces just above and below the
 * thresholds.
 */
#include "analysis/device/breakdown.h"
#include "analysis/finding/finding.h"
#include "analysis/finding/finding_sources.h"
#include "core/buf.h"
#include "support/cm.h"
#include "support/screen_trace.h"

#include <string.h>

static struct nsc_findings find(const char *text,
                                void (*source)(struct nsc_findings *, const struct nsc_scope *,
                                               const struct nsc_field_sets *))
{
    struct nsc_trace *trace = nsc_test_trace_parse(text);
    struct nsc_scope scope = nsc_scope_all(trace);
    struct nsc_findings findings = {0};

    source(&findings, &scope, NULL);
    nsc_trace_free(trace);
    return findings;
}

/* The severity of the finding of this rule; NSC_N_SEVERITIES when there is none. */
static enum nsc_severity severity_of(const struct nsc_findings *findings, const char *key)
{
    for (size_t i = 0; i < findings->list.n; i++)
        if (strcmp(findings->list.at[i].key, key) == 0)
            return findings->list.at[i].severity;
    return NSC_N_SEVERITIES;
}

static void check(const char *text,
                  void (*source)(struct nsc_findings *, const struct nsc_scope *,
                                 const struct nsc_field_sets *),
                  const char *key, enum nsc_severity want)
{
    struct nsc_findings findings = find(text, source);

    if (severity_of(&findings, key) != want)
        fail_msg("%s: severity %d, not %d, of\n%s", key, (int)severity_of(&findings, key),
                 (int)want, text);
    nsc_findings_fini(&findings);
}

TEST(idle_has_three_severities)
{
    check("kernel 0:7 0 96us a\nkernel 0:7 100us 101us b\n", nsc_find_idle, "gpu-idle",
          NSC_N_SEVERITIES);
    check("kernel 0:7 0 93us a\nkernel 0:7 99us 100us b\n", nsc_find_idle, "gpu-idle",
          NSC_SEVERITY_LOW);
    check("kernel 0:7 0 79us a\nkernel 0:7 99us 100us b\n", nsc_find_idle, "gpu-idle",
          NSC_SEVERITY_MEDIUM);
    check("kernel 0:7 0 59us a\nkernel 0:7 99us 100us b\n", nsc_find_idle, "gpu-idle",
          NSC_SEVERITY_HIGH);
}

TEST(the_cpu_is_to_blame_where_launches_come_late)
{
    /* Without calls nobody knows. */
    check("kernel 0:7 0 50us a\nkernel 0:7 99us 100us b\n", nsc_find_idle, "cpu-bottleneck",
          NSC_SEVERITY_NOT_ASSESSABLE);
    /* Launched long before: the GPU's side waits. */
    check("kernel 0:7 0 50us a\nkernel 0:7 99us 100us b #9\napi 1 10us 11us cudaLaunchKernel #9\n",
          nsc_find_idle, "cpu-bottleneck", NSC_N_SEVERITIES);
    /* Late for 30 of 100 us. */
    check("kernel 0:7 0 50us a\nkernel 0:7 99us 100us b #9\napi 1 80us 81us cudaLaunchKernel #9\n",
          nsc_find_idle, "cpu-bottleneck", NSC_SEVERITY_HIGH);
    /* Late for 200 of 300 idle us. */
    check("kernel 0:7 0 690us a\nkernel 0:7 990us 1ms b #9\n"
          "api 1 889us 890us cudaLaunchKernel #9\n",
          nsc_find_idle, "cpu-bottleneck", NSC_SEVERITY_MEDIUM);
    check("kernel 0:7 0 50us a\nkernel 0:7 99us 100us b #9\napi 1 95us 96us cudaLaunchKernel #9\n",
          nsc_find_idle, "cpu-bottleneck", NSC_SEVERITY_HIGH);
}

static void check_late(const struct nsc_findings *findings, const char *rule)
{
    const struct nsc_finding *last = &findings->list.at[findings->list.n - 1];

    assert_true(findings->list.n >= 2);
    assert_string_equal(last->key, rule);
    assert_in_range(last->ns, 43000, 49000);
}

TEST(what_the_cpu_did_is_the_finding)
{
    static const char *const traces[][2] = {
        {"api 1 51us 94us cudaStreamSynchronize\n", "sync-while-idle"},
        {"os 1 51us 94us poll\n", "waits-for-threads"},
        {"api 1 51us 94us cudaMalloc\n", "allocation"},
        {"", "cpu-bottleneck"}};

    for (size_t i = 0; i < sizeof traces / sizeof *traces; i++) {
        struct nsc_buf text = NSC_BUF_INIT(4096);
        struct nsc_findings findings;

        nsc_buf_printf(&text,
                       "kernel 0:7 0 50us a\nkernel 0:7 99us 100us b #9\n"
                       "api 1 95us 96us cudaLaunchKernel #9\n%s",
                       traces[i][0]);
        findings = find(text.bytes, nsc_find_idle);
        check_late(&findings, traces[i][1]);
        nsc_findings_fini(&findings);
        nsc_buf_fini(&text);
    }
}

TEST(transfers_have_three_severities)
{
    check("kernel 0:7 0 990us a\nhtod 0:9 990us 1ms copy\n", nsc_find_transfer, "transfers",
          NSC_N_SEVERITIES);
    check("kernel 0:7 0 91us a\nhtod 0:9 91us 100us copy\n", nsc_find_transfer, "transfers",
          NSC_SEVERITY_LOW);
    check("kernel 0:7 0 90us a\nhtod 0:9 90us 100us copy\n", nsc_find_transfer, "transfers",
          NSC_SEVERITY_MEDIUM);
    check("kernel 0:7 0 75us a\ndtoh 0:9 75us 100us copy\n", nsc_find_transfer, "transfers",
          NSC_SEVERITY_HIGH);
    check("kernel 0:7 0 100us a\nhtod 0:9 0us 100us copy\n", nsc_find_transfer, "transfers",
          NSC_N_SEVERITIES);
}

TEST(small_launches_need_many_kernels_and_an_idle_gpu)
{
    check("*1000 30us kernel 0:7 5us 9us a #1\n*1000 30us api 1 0 4us cudaLaunchKernel #1\n",
          nsc_find_launch, "small-launches", NSC_SEVERITY_HIGH);
    check("*1000 30us kernel 0:7 5us 14us a #1\n*1000 30us api 1 0 4us cudaLaunchKernel #1\n"
          "*1000 30us kernel 0:8 14us 29us b\n",
          nsc_find_launch, "small-launches", NSC_SEVERITY_MEDIUM);
    check("*999 10us kernel 0:7 5us 9us a #1\n*999 10us api 1 0 4us cudaLaunchKernel #1\n",
          nsc_find_launch, "small-launches", NSC_N_SEVERITIES);
    /* A busy GPU. */
    check("*1000 9us kernel 0:7 300ns 9us a #1\n*1000 9us api 1 0 300ns cudaLaunchKernel #1\n",
          nsc_find_launch, "small-launches", NSC_N_SEVERITIES);
    /* A deep queue: all is launched before. */
    check("*1000 10us kernel 0:7 2005us 2009us a #1\n*1000 1us api 1 0 1us cudaLaunchKernel #1\n",
          nsc_find_launch, "small-launches", NSC_N_SEVERITIES);
    check("*1000 10us kernel 0:7 5us 9us a\n", nsc_find_launch, "small-launches",
          NSC_SEVERITY_NOT_ASSESSABLE);
}

TEST(the_rest_has_its_thresholds)
{
    check("kernel 0:7 0 30us a\nkernel 0:7 30us 100us b\n", nsc_find_work, "top-kernel",
          NSC_SEVERITY_INFO);
    check("kernel 0:7 0 45us a\nkernel 0:7 45us 80us b\nkernel 0:7 80us 100us c\n", nsc_find_work,
          "top-kernel", NSC_SEVERITY_INFO);
    check("*5 10us kernel 0:7 0 9us k%d\n", nsc_find_work, "top-kernel", NSC_N_SEVERITIES);
    check("kernel 0:7 0 80us a\nkernel 0:9 80us 90us ncclDevKernel_AllReduce\n", nsc_find_exposed,
          "exposed-communication", NSC_SEVERITY_MEDIUM);
    check("kernel 0:7 0 80us a\nkernel 0:9 10us 20us ncclDevKernel_AllReduce\n", nsc_find_exposed,
          "exposed-communication", NSC_N_SEVERITIES);
    check("*9 10ms nvtx 1 0 9ms step\nnvtx 1 90ms 110ms step\nkernel 0:7 0 110ms a\n",
          nsc_find_slow, "slow-iterations", NSC_SEVERITY_MEDIUM);
}

TEST(a_ceiling_is_what_is_left)
{
    assert_true(nsc_gain_ceiling(100, 0) == 0);
    assert_true(nsc_gain_ceiling(100, 50) == 100);
    assert_true(nsc_gain_ceiling(100, 20) == 25);
    assert_true(nsc_gain_ceiling(100, 100) < 0);
    assert_true(nsc_gain_ceiling(0, 0) < 0);
}
