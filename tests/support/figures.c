/*
 * A table of figures in memory that forked processes share.
 */
#include "support/figures.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { NAME_BYTES = 48 };

struct line {
    char name[NAME_BYTES];
    bool is_set[FIGURES_COLUMNS];
    double goal[FIGURES_COLUMNS], measured[FIGURES_COLUMNS];
};

struct figures {
    char titles[FIGURES_COLUMNS][NAME_BYTES];
    struct line lines[FIGURES_LINES];
    unsigned n, columns;
};

struct figures *figures_new(void)
{
    void *shared = mmap(NULL, sizeof(struct figures), PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    if (shared == MAP_FAILED)
        abort();
    return shared;
}

void figures_free(struct figures *figures)
{
    (void)munmap(figures, sizeof *figures);
}

void figures_begin(struct figures *figures, const char *title)
{
    if (figures->columns == FIGURES_COLUMNS)
        abort();
    (void)snprintf(figures->titles[figures->columns++], NAME_BYTES, "%s", title);
}

static struct line *find_line(struct figures *figures, const char *name)
{
    unsigned i = 0;

    while (i < figures->n && strcmp(figures->lines[i].name, name) != 0)
        i++;
    if (i == FIGURES_LINES)
        abort();
    if (i == figures->n)
        (void)snprintf(figures->lines[figures->n++].name, NAME_BYTES, "%s", name);
    return &figures->lines[i];
}

void figures_put(struct figures *figures, const char *name, double goal, double measured)
{
    unsigned column = figures->columns - 1;
    struct line *line = find_line(figures, name);

    line->is_set[column] = true;
    line->goal[column] = goal;
    line->measured[column] = measured;
}

void figures_least(struct figures *figures, const char *name, double goal, double measured)
{
    unsigned column = figures->columns - 1;
    const struct line *line = find_line(figures, name);

    if (!line->is_set[column] || measured < line->measured[column])
        figures_put(figures, name, goal, measured);
}

/* Prints three significant digits. */
static void print_number(double value)
{
    int digits = value >= 100 || value == 0 ? 0 : value >= 10 ? 1 : value >= 0.1 ? 2 : 3;

    printf(" %.*f |", digits, value);
}

static void print_goal(const struct line *line, unsigned columns)
{
    double least = 0;
    double most = 0;

    for (unsigned c = 0; c < columns; c++) {
        if (!line->is_set[c] || line->goal[c] <= 0)
            continue;
        least = least == 0 || line->goal[c] < least ? line->goal[c] : least;
        most = line->goal[c] > most ? line->goal[c] : most;
    }
    if (most == 0)
        printf(" |");
    else if (least == most)
        printf(" %g |", most);
    else
        printf(" %.3g to %.3g |", least, most);
}

/* Prints the worst ratio to the goal, in bold above 1, and the growth. */
static void print_ratios(const struct line *line, unsigned columns)
{
    double worst = 0;
    double first = 0;
    double last = 0;

    for (unsigned c = 0; c < columns; c++) {
        double ratio = line->is_set[c] && line->goal[c] > 0 ? line->measured[c] / line->goal[c] : 0;

        worst = ratio > worst ? ratio : worst;
        if (!line->is_set[c] || line->measured[c] <= 0)
            continue;
        first = first == 0 ? line->measured[c] : first;
        last = line->measured[c];
    }
    printf(worst > 1 ? " **%.2f** |" : worst > 0 ? " %.2f |" : " |", worst);
    printf(first > 0 && columns > 1 ? " %.2f |\n" : " |\n", first > 0 ? last / first : 0);
}

void figures_print(const struct figures *figures)
{
    printf("| figure | goal |");
    for (unsigned c = 0; c < figures->columns; c++)
        printf(" %s |", figures->titles[c]);
    printf(" worst ratio | growth |\n|---|--:|");
    for (unsigned c = 0; c < figures->columns + 2; c++)
        printf("--:|");
    printf("\n");
    for (unsigned i = 0; i < figures->n; i++) {
        const struct line *line = &figures->lines[i];

        printf("| %s |", line->name);
        print_goal(line, figures->columns);
        for (unsigned c = 0; c < figures->columns; c++)
            if (line->is_set[c])
                print_number(line->measured[c]);
            else
                printf(" |");
        print_ratios(line, figures->columns);
    }
}
