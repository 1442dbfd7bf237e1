import type { Checkout } from '../../../../shared/model/workspace.ts';
import type { WorkspaceCapability } from '../../../platform/types.ts';

/**
 * Keeps a shelf on this computer, in a workspace folder that is chosen first where there is none.
 * @returns null when none was chosen
 */
export async function keepShelf(workspace: WorkspaceCapability, shelfId: string): Promise<Checkout | null> {
  const { folder } = await workspace.state();
  if (folder === null && (await workspace.chooseFolder()).folder === null) return null;
  return workspace.checkouts.checkOut(shelfId);
}
