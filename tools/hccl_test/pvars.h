// SPDX-License-Identifier: BSD-3-Clause
#ifndef HCCL_TEST_PVARS_H
#define HCCL_TEST_PVARS_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

enum { HCCL_PVARS_MOST = 256, HCCL_PVARS_NAME = 96 };

/**
 * coll_hccl's counters of calls, read through MPI's tool interface, so that nothing of
 * hccl is needed to build or run this program. Counters called
 * coll_hccl_<operation>_<path>_calls tell which path served the calls between two
 * readings.
 */
struct hccl_pvars {
    bool open;
    bool loaded; // the library has coll_hccl, counters or not
    MPI_T_pvar_session session;
    int count;
    MPI_T_pvar_handle handle[HCCL_PVARS_MOST];
    MPI_Datatype type[HCCL_PVARS_MOST];
    char name[HCCL_PVARS_MOST][HCCL_PVARS_NAME]; // "<operation>_<path>"
    uint64_t last[HCCL_PVARS_MOST];
};

/** Finds the counters; after MPI_Init. */
void hccl_pvars_open(struct hccl_pvars *pvars, MPI_Comm comm);

/** Lets go of them; before MPI_Finalize. */
void hccl_pvars_close(struct hccl_pvars *pvars);

/** Remembers where the counters stand. */
void hccl_pvars_mark(struct hccl_pvars *pvars);

/**
 * Writes the paths that operation `op` has taken since the mark, the most frequent first
 * and joined by '+'; "-" when there is no telling.
 */
void hccl_pvars_path(struct hccl_pvars *pvars, const char *op, char *text, int room);

#endif
