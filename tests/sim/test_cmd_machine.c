#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <string.h>

#include "tests/support/program.h"

static struct program p;

static void expect(const char *text)
{
	cr_assert(strstr(p.out, text) != NULL, "\"%s\" is not in:\n%s%s", text, p.out, p.err);
}

Test(cmd_machine, show_prints_what_a_machine_file_says)
{
	program_run(&p, "show", "juno-r2", NULL);
	cr_assert(eq(int, p.status, 0), "%s", p.err);
	expect("6 in 1 package, 2 policies");
	expect("one clock per policy");
	expect("package 0, 485/1024 per MHz, capacity 383, 1 thread per core\n");
	expect("frequency table cortex-a53:\n  policies                       1 of CPUs 0-3\n");
	/* 140 uW per MHz per V^2 at 450 MHz and 0.82 V. */
	expect("450MHz       450MHz        820mV     0.042361     0.094136\n");
	expect("idle state cpu-sleep-0         exit 1500 us, target residency 2000 us");
	expect("usual driver                   cpufreq-dt\n");
	expect("assumed, without a public source: idle.power\n");
	expect("ARM Juno r2, the machine of the CPPC frequency invariance thread");
}

Test(cmd_machine, show_tells_group_clocks_turbo_and_drivers)
{
	program_run(&p, "show", "configs/machines/power9-2x64.yaml", NULL);
	expect("CPUs per clock                 16\n");
	expect("package 1, 1024/1024 per MHz, capacity 1024, 4 threads per core\n");
	expect("policies                       32 of CPUs 0-127\n");
	program_run(&p, "show", "i7-2600k", NULL);
	expect("3401MHz       3.8GHz        1.24V    20.256512     5.330661  turbo\n");
	expect("turbo, 2-2 busy cores          3.7GHz\n");
	expect("limit_power                    0\n");
	expect("driver acpi-cpufreq:\n  transition_latency             10us\n");
	program_run(&p, "show", "generic-server", NULL);
	expect("assumed, without a public source: all\n");
	program_run(&p, "show", "tests/data/machines/two-package.yaml", NULL);
	expect("points of the voltage curve:\n");
}

Test(cmd_machine, show_of_what_is_neither_says_so)
{
	program_run(&p, "show", "no-such-thing", NULL);
	cr_assert(eq(int, p.status, 2));
	cr_assert(strstr(p.err, "no-such-thing: No such file or directory") != NULL, "%s", p.err);
	program_run(&p, "show", "README.md", NULL);
	cr_assert(eq(int, p.status, 2));
}

Test(cmd_machine, check_names_points_that_cost_no_less_than_higher_ones)
{
	program_run(&p, "check", "configs/machines/sm8250.yaml", NULL);
	cr_assert(eq(int, p.status, 0), "%s", p.err);
	expect("configs/machines/sm8250.yaml: note: prime: inefficient, as a higher frequency "
	       "costs "
	       "no more per unit of work, kHz: 844800 1632000 2169600 2265600 2361600\n");
	expect("configs/machines/sm8250.yaml: ok\n");
	program_run(&p, "check", "configs/machines/i7-3770.yaml", NULL);
	expect("i7-3770.yaml: note: inefficient, as a higher frequency");
	program_run(&p, "check", "configs/machines/rk3588.yaml", NULL);
	cr_assert(eq(str, p.out, "configs/machines/rk3588.yaml: ok\n"));
}

/* The four values of the CPPC frequency invariance thread (linux-pm, 2021-02-22, I. Voinescu). */
Test(cmd_machine, show_gives_the_published_frequency_scales_of_juno)
{
	const char *scenario = "configs/scenarios/juno-frequency-scale.yaml";

	program_run(&p, "show", scenario, NULL);
	expect("arch_scale_freq_capacity       485\n");
	expect("arch_scale_freq_capacity       512\n");
	program_run(&p, "show", scenario, "--set", "governor.scaling_setspeed=950MHz", "--set",
		"governor.policies.4.scaling_setspeed=1200MHz", NULL);
	expect("scaling_cur_freq               950000\n  arch_scale_freq_capacity       1024\n");
	expect("scaling_cur_freq               1200000\n  arch_scale_freq_capacity       1024\n");
}
