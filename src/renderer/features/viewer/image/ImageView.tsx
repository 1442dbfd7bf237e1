import { useCallback, useState } from 'react';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { extensionOf } from '../../../ui/fileKind.ts';
import { LoadingRows } from '../../../ui/States.tsx';
import { imageType } from '../kit/blobUrls.ts';
import { fetchBytes } from '../kit/fetchBytes.ts';
import { NotShown } from '../kit/NotShown.tsx';
import { Prepared } from '../kit/Prepared.tsx';
import { SourceSwitch } from '../kit/SourceSwitch.tsx';
import { useBlobUrl } from '../kit/useBlobUrl.ts';
import type { ViewProps } from '../view.ts';
import { ImageStage } from './ImageStage.tsx';

/** Larger ones take more memory, drawn, than a page has. */
const MAX_BYTES = 200 * 1024 * 1024;

/**
 * As a blob of the type that its name says: the server gives most types as a mere download, and an SVG that is drawn by `<img>`
 * runs no script and loads nothing.
 */
async function imageBlob(content: ViewProps['content'], signal: AbortSignal): Promise<Blob> {
  const type = imageType(extensionOf(content.name)) ?? content.mime;
  return new Blob([await fetchBytes(content, signal)], { type });
}

function BlobImage({ blob, content }: { readonly blob: Blob; readonly content: ViewProps['content'] }) {
  const { t } = useTranslation();
  const url = useBlobUrl(blob);
  const [isBroken, setBroken] = useState(false);
  const onBroken = useCallback(() => setBroken(true), []);
  if (isBroken) return <NotShown content={content} why={blob.type === 'image/tiff' ? 'tiff' : 'damaged'} />;
  if (url === null) return <LoadingRows rows={1} shape="tile" />;
  return <ImageStage url={url} alt={t('version.imageAlt', { name: content.name })} onBroken={onBroken} />;
}

function Drawn({ content }: ViewProps) {
  return (
    <Prepared content={content} most={MAX_BYTES} as="image" prepare={imageBlob}>
      {(blob) => <BlobImage blob={blob} content={content} />}
    </Prepared>
  );
}

/** An image to look at closely. An SVG is a text too, and opens as one where something in it is looked for. */
export function ImageView(props: ViewProps) {
  if (extensionOf(props.content.name) !== 'svg') return <Drawn {...props} />;
  const isFound = props.place.find !== '' || props.place.line !== null;
  return <SourceSwitch {...props} rendered={Drawn} label="image" startsAt={isFound ? 'source' : 'rendered'} />;
}
