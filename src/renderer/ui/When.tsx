import { type Formats, useFormats, useNow } from './useFormats.ts';

export interface MomentProps {
  readonly moment: string;
  readonly formats: Formats;
}

/** A moment as a relative time, with the exact time on hover; for rows of long lists, whose list knows the formats. */
export function Moment({ moment, formats }: MomentProps) {
  return (
    <time dateTime={moment} title={formats.dateTime(moment)} className="nowrap">
      {formats.relative(moment, useNow())}
    </time>
  );
}

/** A moment as a relative time, with the exact time on hover. */
export function When({ moment }: { readonly moment: string }) {
  return <Moment moment={moment} formats={useFormats()} />;
}
