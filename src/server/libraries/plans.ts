import { AppError } from '../../shared/errors.ts';
import type { PlanType } from '../../shared/model/common.ts';
import type { PlanLimits } from '../../shared/rules/limits.ts';
import type { Database } from '../database/connection.ts';

/** What people's plans have room for (decisions.md §5). */
export interface Plans {
  limits(on: Database, userId: string): Promise<PlanLimits>;
  /** How much of a limit is in use. */
  used(on: Database, userId: string, name: keyof PlanLimits): Promise<number>;
  /**
   * Makes sure, inside the caller's transaction, that `wanted` more fit. Of two that want the last place at once one waits.
   * @throws AppError `plan-limit-reached`, saying which limit it is and how much of it is used.
   */
  claim(transaction: Database, userId: string, name: keyof PlanLimits, wanted: number): Promise<void>;
}

/** Makes the service; `limitsOf` gives the limits of a plan as the administrator set them. */
export function createPlans(limitsOf: (on: Database, plan: PlanType) => Promise<PlanLimits>): Plans {
  async function limits(on: Database, userId: string): Promise<PlanLimits> {
    const { plan_type } = await on
      .selectFrom('users')
      .select('plan_type')
      .where('id', '=', userId)
      .executeTakeFirstOrThrow();
    return limitsOf(on, plan_type as PlanType);
  }

  async function used(on: Database, userId: string, name: keyof PlanLimits): Promise<number> {
    const owned = on.selectFrom('libraries').where('owner_id', '=', userId);
    if (name === 'max_libraries') {
      const row = await owned.select(({ fn }) => fn.countAll<number>().as('used')).executeTakeFirstOrThrow();
      return Number(row.used);
    }
    const row = await owned
      .innerJoin('shelves', 'shelves.library_id', 'libraries.id')
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom('deleted_shelves').select('shelf_id').whereRef('shelf_id', '=', 'shelves.id'))),
      )
      .select(({ fn }) => [
        fn.count<number>('shelves.id').as('max_shelves'),
        fn.sum<number | null>('shelves.document_count').as('max_documents'),
      ])
      .executeTakeFirstOrThrow();
    return Number(row[name] ?? 0);
  }

  return {
    limits,
    used,
    async claim(transaction, userId, name, wanted) {
      const max = (await limits(transaction, userId))[name];
      if (max === null || wanted <= 0) return;
      // A write to the owner's row makes every other claim of the same owner wait for this transaction.
      await transaction
        .updateTable('users')
        .set((eb) => ({ plan_type: eb.ref('plan_type') }))
        .where('id', '=', userId)
        .execute();
      const inUse = await used(transaction, userId, name);
      if (inUse + wanted <= max) return;
      throw new AppError('plan-limit-reached', `the plan allows ${max}, ${inUse} are in use`, {
        details: { limit: name, max, used: inUse },
      });
    },
  };
}
