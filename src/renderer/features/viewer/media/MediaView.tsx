import { FileText } from 'lucide-react';
import { useRef, useState } from 'react';
import { fetchContent } from '../../../api/fetchContent.ts';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { splitName } from '../../../ui/fileKind.ts';
import { EmptyState, ErrorState } from '../../../ui/States.tsx';
import { NotShown } from '../kit/NotShown.tsx';
import { refusalOf, refused } from '../kit/refusal.ts';
import type { ViewProps } from '../view.ts';
import { isAudio, mayPlay } from './mediaKinds.ts';
import './media.css';

/** What went wrong: the network, which can be tried again, or a format that this browser does not know. */
async function reasonFor(url: string): Promise<unknown> {
  try {
    const response = await fetchContent(url, AbortSignal.timeout(10_000), 'bytes=0-0');
    await response.body?.cancel();
    return refused('notPlayable');
  } catch (error) {
    return error;
  }
}

/** Ends what a player that is gone still loads: the connections of a page are few. */
const releaseOnLeave = (player: HTMLMediaElement | null) => () => {
  player?.removeAttribute('src');
  player?.load();
};

/** Video and sound by the browser's own player, which asks for the parts that it needs. */
export function MediaView({ content }: ViewProps) {
  const { t } = useTranslation();
  const [error, setError] = useState<unknown>(null);
  const isAsking = useRef(false);
  const { base } = splitName(content.name);
  if (content.size === 0) return <EmptyState icon={FileText} title={t('version.empty')} />;
  const why = mayPlay(content.name) ? refusalOf(error) : 'notPlayable';
  if (why !== null) return <NotShown content={content} why={why} />;
  if (error !== null) return <ErrorState error={error} onRetry={() => setError(null)} />;
  const player = {
    ref: releaseOnLeave,
    src: content.url,
    controls: true,
    preload: 'metadata',
    onError: () => {
      if (isAsking.current) return;
      isAsking.current = true;
      void reasonFor(content.url).then((reason) => {
        isAsking.current = false;
        setError(reason);
      });
    },
  };
  return (
    <div className="media">
      {isAudio(content.name, content.mime) ? (
        <audio {...player} aria-label={t('viewKinds.playSound', { name: base })} />
      ) : (
        <video {...player} playsInline aria-label={t('viewKinds.playVideo', { name: base })} />
      )}
    </div>
  );
}
