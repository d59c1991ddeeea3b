/*
 * A table of a system on chip as wipe-v2's data set has it, in JSON: for each cluster its cores,
 * work per clock, frequencies in MHz and milliwatts of a busy core at each.
 */
#include "sim/base/str.h"
#include "sim/base/units.h"
#include "sim/probe.h"
#include "sim/scenario/yaml.h"

#define CLUSTERS_MAX 16
#define CORES_MAX 256
#define MHZ_MAX 10000
#define MW_MAX 100000

static int number(const struct node *map, const char *key, int64_t min, int64_t max, int64_t *v,
	struct error *err)
{
	const struct node *node = node_get(map, key);

	if (!node)
		return error_at(err, ERROR_SCENARIO, map->at,
			"is no table of a system on chip: \"%s\" is missing", key);
	if (node->type != NODE_SCALAR || str_to_i64(node->text, UNIT_NONE, v) || *v < min ||
		*v > max)
		return error_at(err, ERROR_SCENARIO, node->at,
			"%s: \"%.40s\" is not a number in %lld..%lld", key, node_describe(node),
			(long long)min, (long long)max);
	return 0;
}

/* One frequency after the other, and the power beside it. */
static int read_points(struct probe *probe, struct probe_policy *policy, const struct node *cluster,
	struct error *err)
{
	const struct node *opps = node_get(cluster, "opp");
	const struct node *powers = node_get(cluster, "corePower");
	int64_t mhz, mw;

	if (!opps || opps->type != NODE_SEQ || !powers || powers->type != NODE_SEQ)
		return error_at(err, ERROR_SCENARIO, cluster->at,
			"a cluster has lists \"opp\" and \"corePower\"");
	policy->points = arena_array(probe->sysfs.arena, PROBE_POINTS_MAX, sizeof(*policy->points));
	const struct node *power = powers->first;
	for (const struct node *opp = opps->first; opp; opp = opp->next) {
		if (!power || policy->nr_points == PROBE_POINTS_MAX || opp->type != NODE_SCALAR ||
			str_to_i64(opp->text, UNIT_NONE, &mhz) || mhz < 1 || mhz > MHZ_MAX ||
			power->type != NODE_SCALAR || str_to_i64(power->text, UNIT_NONE, &mw) ||
			mw < 1 || mw > MW_MAX)
			return error_at(err, ERROR_SCENARIO, opp->at,
				"expected as many frequencies in 1..%d MHz as powers in 1..%d mW",
				MHZ_MAX, MW_MAX);
		if (policy->nr_points && mhz * 1000 <= policy->points[policy->nr_points - 1].khz)
			return error_at(err, ERROR_SCENARIO, opp->at,
				"a frequency is not above the one before it");
		policy->points[policy->nr_points++] = (struct probe_point){ mhz * 1000, mw * 1000,
			false };
		power = power->next;
	}
	policy->table = policy->nr_points > 0;
	return policy->table ? 0
			     : error_at(err, ERROR_SCENARIO, opps->at, "opp: the list is empty");
}

static int read_cluster(struct probe *probe, const struct node *cluster, struct error *err)
{
	struct probe_policy *policy = &probe->policies[probe->nr_policies];
	int64_t cores, efficiency;

	*policy = (struct probe_policy){ .first = probe->nr_cpus, .latency_ns = -1 };
	if (cluster->type != NODE_MAP)
		return error_at(err, ERROR_SCENARIO, cluster->at, "a cluster is an object");
	if (number(cluster, "coreNum", 1, CORES_MAX, &cores, err) ||
		number(cluster, "efficiency", 1, 100000, &efficiency, err) ||
		read_points(probe, policy, cluster, err))
		return -1;
	policy->nr = (int)cores;
	policy->min_khz = policy->points[0].khz;
	policy->max_khz = policy->points[policy->nr_points - 1].khz;
	policy->base_khz = -1;
	/* Capacity at the top clock, on a scale of its own: who writes the machine divides. */
	for (int i = 0; i < policy->nr; i++)
		probe->cpus[probe->nr_cpus++] = (struct probe_cpu){ .policy = probe->nr_policies,
			.core = probe->nr_cpus,
			.linux_id = probe->nr_cpus,
			.capacity = efficiency * policy->max_khz / 1000 };
	probe->nr_policies++;
	return 0;
}

int probe_read_soc(struct probe *probe, struct arena *arena, const char *path, struct error *err)
{
	struct node *root;

	*probe = (struct probe){ .sysfs = { .arena = arena },
		.pcc = { -1, -1, -1, -1, -1, -1 },
		.has_cpufreq = true,
		.has_capacity = true,
		.has_topology = true,
		.smt = 1,
		.scope = PROBE_SCOPE_POLICY };
	if (yaml_read_file(arena, path, &root, err) < 0)
		return -1;
	const struct node *clusters = root->type == NODE_MAP ? node_get(root, "cluster") : NULL;
	if (!clusters || clusters->type != NODE_SEQ || !clusters->first)
		return error_at(err, ERROR_SCENARIO, root->at,
			"is no table of a system on chip: a list \"cluster\" is missing");
	probe->cpus = arena_array(arena, (size_t)CLUSTERS_MAX * CORES_MAX, sizeof(*probe->cpus));
	probe->policies = arena_array(arena, CLUSTERS_MAX, sizeof(*probe->policies));
	for (const struct node *cluster = clusters->first; cluster; cluster = cluster->next) {
		if (probe->nr_policies == CLUSTERS_MAX)
			return error_at(err, ERROR_SCENARIO, cluster->at,
				"expected at most %d clusters", CLUSTERS_MAX);
		if (read_cluster(probe, cluster, err))
			return -1;
	}
	probe_note(probe, "clusterPower, of a cluster with a busy core, is left out");
	probe_note(probe, "a table has no idle states: one, left in 1 us");
	return 0;
}
