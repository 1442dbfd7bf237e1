import type { Api } from '../../shared/api/index.ts';
import { nameProblem } from '../../shared/rules/names.ts';
import type { Access } from '../access/access.ts';
import type { Database } from '../database/connection.ts';
import { actorOf, type CallContext, callerOf } from '../http/context.ts';
import type { ApiHandlers } from '../http/mount.ts';
import type { Libraries } from './libraries.ts';
import type { LibraryManagement } from './management.ts';
import { isNameFree } from './names.ts';
import type { Plans } from './plans.ts';

export interface LibrariesHandlersOptions {
  readonly database: Database;
  readonly access: Access;
  readonly plans: Plans;
  readonly libraries: Libraries;
  readonly management: LibraryManagement;
}

/** Handlers of the library calls. */
export function librariesHandlers(options: LibrariesHandlersOptions): ApiHandlers<Api>['libraries'] {
  const { database, access, plans, libraries, management } = options;

  async function summary(context: CallContext, name: string) {
    const { shelves: _, ...library } = await libraries.get(actorOf(context), name);
    return library;
  }

  return {
    list: async ({ query }, context) => ({ libraries: await libraries.list(actorOf(context), query.archived) }),
    listWithShelves: async ({ query }, context) => ({
      libraries: await libraries.listWithShelves(actorOf(context), query.archived),
    }),
    get: ({ params }, context) => libraries.get(actorOf(context), params.name),
    create: ({ body }, context) => libraries.create(actorOf(context), body.name),
    async update({ params, body }, context) {
      await management.rename(callerOf(context), params.name, body.name);
      return summary(context, body.name);
    },
    async remove({ params }, context) {
      await management.remove(callerOf(context), params.name);
      return { deleted: true };
    },
    async archive({ params, body }, context) {
      await management.archive(callerOf(context), params.name, body.action);
      return summary(context, params.name);
    },
    async transfer({ params, body }, context) {
      await management.transfer(callerOf(context), params.name, body.username);
      return summary(context, params.name);
    },
    async checkName({ query }) {
      const problem = nameProblem(query.name);
      if (problem !== null) return { available: false, problem };
      return (await isNameFree(database, query.name))
        ? { available: true, problem: null }
        : { available: false, problem: 'taken' };
    },
    async shelfCount({ params }, context) {
      const actor = actorOf(context);
      const library = await access.library(actor, params.name);
      const { shelf_count: count } = await libraries.get(actor, params.name);
      if (!library.isOwner) return { count, used: null, max_shelves: null };
      const { max_shelves } = await plans.limits(database, actor.id);
      return { count, used: await plans.used(database, actor.id, 'max_shelves'), max_shelves };
    },
  };
}

/** Handlers of the shelf calls. */
export function shelvesHandlers({
  access,
  libraries,
  management,
}: LibrariesHandlersOptions): ApiHandlers<Api>['shelves'] {
  return {
    list: async ({ params, query }, context) => ({
      shelves: await libraries.shelves(actorOf(context), params.lib, query.archived),
    }),
    create: ({ params, body }, context) => libraries.createShelf(actorOf(context), params.lib, body.name),
    async checkName({ params, query }, context) {
      const { id } = await access.library(actorOf(context), params.lib);
      const problem = nameProblem(query.name);
      if (problem !== null) return { available: false, problem };
      return (await libraries.shelfNameTaken(id, query.name))
        ? { available: false, problem: 'taken' }
        : { available: true, problem: null };
    },
    async update({ params, body }, context) {
      await management.renameShelf(callerOf(context), params.lib, params.id, body.name);
      return libraries.shelf(actorOf(context), params.lib, params.id);
    },
    async remove({ params }, context) {
      await management.removeShelf(callerOf(context), params.lib, params.id);
      return { deleted: true };
    },
    async archive({ params, body }, context) {
      await management.archiveShelf(callerOf(context), params.lib, params.id, body.action);
      return libraries.shelf(actorOf(context), params.lib, params.id);
    },
  };
}
