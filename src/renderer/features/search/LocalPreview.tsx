import { useEffect, useState } from 'react';
import type { LocalMediaFile } from '../../../shared/bridge/index.ts';
import type { SearchResult } from '../../../shared/model/search.ts';
import { useServices } from '../../app/services.ts';
import { splitName } from '../../ui/fileKind.ts';

/** A picture or video of this machine, above its matches; nothing for other files, and for what cannot be drawn. */
export function LocalPreview({ result }: { readonly result: SearchResult }) {
  const { workspace } = useServices().platform;
  const [media, setMedia] = useState<LocalMediaFile | null>(null);
  const { path, filename, versionId } = result;
  useEffect(() => {
    let isLive = true;
    setMedia(null);
    if (workspace === null || versionId !== null) return undefined;
    workspace.preview(path).then(
      (found) => isLive && setMedia(found),
      // It is gone meanwhile: then its matches are all there is.
      () => undefined,
    );
    return () => {
      isLive = false;
    };
  }, [workspace, path, versionId]);
  if (media === null) return null;
  const leave = () => setMedia(null);
  return media.kind === 'image' ? (
    <img className="panes__preview" src={media.url} alt={splitName(filename).base} onError={leave} />
  ) : (
    // biome-ignore lint/a11y/useMediaCaption: a file of the person's own comes with none
    <video className="panes__preview" src={media.url} controls preload="metadata" onError={leave} />
  );
}
