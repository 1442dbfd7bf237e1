import { useMutation } from '@tanstack/react-query';
import type { PDFDocumentProxy } from 'pdfjs-dist';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { isAppError } from '../../../../shared/errors.ts';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { Dialog } from '../../../ui/Dialog.tsx';
import { Field } from '../../../ui/Field.tsx';
import { Meter } from '../../../ui/Meter.tsx';
import { useErrorText } from '../../../ui/useErrorText.ts';
import { preparePrint } from './printPdf.ts';

export interface PrintDialogProps {
  readonly pdf: PDFDocumentProxy;
  readonly onClose: () => void;
}

function Progress({ done, all }: { readonly done: number; readonly all: number }) {
  const { t } = useTranslation();
  const text = t('pdf.preparing', { done, all });
  return (
    <div className="pdf__progress">
      <span>{text}</span>
      <Meter label={text} done={done} total={all} />
    </div>
  );
}

/** Asks which pages, and draws them for the printer, which may be given up. */
export function PrintDialog({ pdf, onClose }: PrintDialogProps) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const form = useId();
  const [from, setFrom] = useState('1');
  const [to, setTo] = useState(String(pdf.numPages));
  const [done, setDone] = useState(0);
  const closing = useRef<AbortController>(new AbortController());
  useEffect(() => {
    closing.current = new AbortController();
    return () => closing.current.abort();
  }, []);
  const [first, last] = [Number(from), Number(to)];
  const isRange =
    Number.isInteger(first) && Number.isInteger(last) && first >= 1 && first <= last && last <= pdf.numPages;
  const prepare = useMutation({
    mutationFn: () =>
      preparePrint({
        pdf,
        first: first - 1,
        last: last - 1,
        onProgress: setDone,
        signal: closing.current.signal,
      }),
    onSuccess(job) {
      onClose();
      // The dialog is off the page before the browser's own stops everything.
      requestAnimationFrame(() => requestAnimationFrame(() => job.print()));
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isRange && !prepare.isPending) prepare.mutate();
  };
  return (
    <Dialog
      title={t('pdf.printTitle')}
      size="sm"
      onClose={onClose}
      actions={
        <>
          <button type="button" className="button" onClick={onClose}>
            {t('common.cancel')}
          </button>
          <button type="submit" form={form} className="button button--primary" disabled={!isRange || prepare.isPending}>
            {t('pdf.print')}
          </button>
        </>
      }
    >
      <form id={form} onSubmit={submit} className="pdf__print">
        <div className="pdf__range">
          <Field
            label={t('pdf.fromPage')}
            inputMode="numeric"
            value={from}
            disabled={prepare.isPending}
            onChange={(event) => setFrom(event.target.value)}
          />
          <Field
            label={t('pdf.toPage')}
            inputMode="numeric"
            value={to}
            disabled={prepare.isPending}
            onChange={(event) => setTo(event.target.value)}
          />
        </div>
        {!isRange && <p className="field__error">{t('pdf.noSuchPages', { pages: pdf.numPages })}</p>}
        {prepare.isPending && <Progress done={done} all={last - first + 1} />}
        {prepare.isError && !isAppError(prepare.error, 'cancelled') && (
          <p className="field__error" role="alert">
            {errorText(prepare.error)}
          </p>
        )}
      </form>
    </Dialog>
  );
}
