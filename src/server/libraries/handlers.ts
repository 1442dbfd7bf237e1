import type { Api } from '../../shared/api/index.ts';
import { nameProblem } from '../../shared/rules/names.ts';
import type { Database } from '../database/connection.ts';
import { actorOf } from '../http/context.ts';
import type { ApiHandlers } from '../http/mount.ts';
import type { Libraries } from './libraries.ts';
import { isNameFree } from './names.ts';

/** Handlers of the library calls. */
export function librariesHandlers(libraries: Libraries, database: Database): ApiHandlers<Api>['libraries'] {
  return {
    list: async (_input, context) => ({ libraries: await libraries.list(actorOf(context)) }),
    listWithShelves: async (_input, context) => ({ libraries: await libraries.listWithShelves(actorOf(context)) }),
    get: ({ params }, context) => libraries.get(actorOf(context), params.name),
    create: ({ body }, context) => libraries.create(actorOf(context), body.name),
    async checkName({ query }) {
      const problem = nameProblem(query.name);
      if (problem !== null) return { available: false, problem };
      return (await isNameFree(database, query.name))
        ? { available: true, problem: null }
        : { available: false, problem: 'taken' };
    },
  };
}

/** Handlers of the shelf calls. */
export function shelvesHandlers(libraries: Libraries): ApiHandlers<Api>['shelves'] {
  return {
    list: async ({ params }, context) => ({ shelves: await libraries.shelves(actorOf(context), params.lib) }),
    create: ({ params, body }, context) => libraries.createShelf(actorOf(context), params.lib, body.name),
    async checkName({ params, query }, context) {
      const libraryId = await libraries.idOf(actorOf(context), params.lib);
      const problem = nameProblem(query.name);
      if (problem !== null) return { available: false, problem };
      return (await libraries.shelfNameTaken(libraryId, query.name))
        ? { available: false, problem: 'taken' }
        : { available: true, problem: null };
    },
  };
}
