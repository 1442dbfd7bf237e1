import type { Checkout } from '../../../../shared/model/workspace.ts';
import type { WorkspaceCapability } from '../../../platform/types.ts';

/** Keeps a shelf on this computer, in a workspace folder that is chosen first where there is none. */
export async function keepShelf(workspace: WorkspaceCapability, shelfId: string): Promise<Checkout> {
  const { folder } = await workspace.state();
  if (folder === null) await workspace.chooseFolder();
  return workspace.checkouts.checkOut(shelfId);
}
