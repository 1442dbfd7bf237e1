import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../shared/api/index.ts';
import { queryKeys } from '../../api/queries.ts';
import { useServices } from '../../app/services.ts';

/** What is written, and where: on the shelf, on a document or version of it, or as an answer. */
export interface NewComment {
  readonly comment: string;
  readonly document_id?: string;
  readonly version_id?: string;
  readonly parent_id?: string;
}

export interface CommentActions {
  readonly write: (comment: NewComment) => Promise<unknown>;
  readonly edit: (commentId: string, comment: string) => Promise<unknown>;
  readonly remove: (commentId: string) => Promise<unknown>;
  readonly resolve: (commentId: string, resolved: boolean) => Promise<unknown>;
}

/** What can be done to the comments of a shelf. Each is done once the lists show it. */
export function useCommentActions(library: string, shelfId: string): CommentActions {
  const { client } = useServices();
  const queries = useQueryClient();
  const shelf = { lib: library, id: shelfId };
  const shown = <T>(done: Promise<T>) =>
    done.then(() => queries.invalidateQueries({ queryKey: queryKeys.comments(shelfId) }));
  return {
    write: (body) => shown(client.call(api.comments.create, { params: shelf, body })),
    edit: (cid, comment) => shown(client.call(api.comments.update, { params: { ...shelf, cid }, body: { comment } })),
    remove: (cid) => shown(client.call(api.comments.remove, { params: { ...shelf, cid } })),
    resolve: (cid, resolved) =>
      shown(client.call(api.comments.resolve, { params: { ...shelf, cid }, body: { resolved } })),
  };
}

/** Says that the comments up to one are read. That it failed needs no words: the marks stay. */
export function useMarkRead(library: string, shelfId: string) {
  const { client } = useServices();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (last_comment_id: string) =>
      client.call(api.comments.markRead, { params: { lib: library, id: shelfId }, body: { last_comment_id } }),
    onSuccess: (answer) => queries.setQueryData([...queryKeys.comments(shelfId), 'unread'], answer),
  });
}
