import { X } from 'lucide-react';
import { Dialog as Primitive } from 'radix-ui';
import { type ReactNode, useState } from 'react';
import { useTranslation } from '../i18n/useTranslation.ts';
import { type DialogSize, dialogClass } from './dialogSize.ts';
import { useModalLayer } from './layers.ts';

export interface DialogProps {
  readonly title: string;
  readonly description?: ReactNode;
  readonly onClose: () => void;
  readonly children?: ReactNode;
  /** Buttons; the one that does it stands last. */
  readonly actions?: ReactNode;
  readonly size?: DialogSize;
  /** Only the actions close it. */
  readonly insistent?: boolean;
  /** The address asks for it, so that going back closes it. */
  readonly isAddressed?: boolean;
}

/** Gives the focus back to where it was, unless something else took it; the primitive does so for triggers of its own alone. */
function giveFocusBack(before: Element | null): void {
  const { activeElement, body } = document;
  const isFree = activeElement === null || activeElement === body;
  if (isFree && before instanceof HTMLElement) before.focus({ preventScroll: true });
}

/**
 * A modal dialog, mounted while it is open. Without the primitive's own overlay, which would inject a style element to lock
 * scrolling; the content policy allows none, and useModalLayer locks it.
 */
export function Dialog(props: DialogProps) {
  const { title, description, onClose, children, actions, size = '', insistent = false, isAddressed = false } = props;
  const { t } = useTranslation();
  useModalLayer(isAddressed);
  const [focusedBefore] = useState(() => document.activeElement);
  const keep = (event: Event) => {
    if (insistent) event.preventDefault();
  };
  return (
    <Primitive.Root open onOpenChange={(open) => !open && onClose()}>
      <Primitive.Portal>
        <div className="dialog-backdrop">
          <Primitive.Content
            className={dialogClass(size)}
            {...(description === undefined ? { 'aria-describedby': undefined } : {})}
            onEscapeKeyDown={keep}
            onPointerDownOutside={keep}
            onInteractOutside={keep}
            onCloseAutoFocus={() => giveFocusBack(focusedBefore)}
          >
            <header className="dialog__head">
              <div>
                <Primitive.Title className="dialog__title">{title}</Primitive.Title>
                {description !== undefined && (
                  <Primitive.Description className="dialog__description">{description}</Primitive.Description>
                )}
              </div>
              {!insistent && (
                <Primitive.Close className="icon-button" aria-label={t('common.close')}>
                  <X />
                </Primitive.Close>
              )}
            </header>
            <div className="dialog__body">{children}</div>
            {actions !== undefined && <footer className="dialog__foot">{actions}</footer>}
          </Primitive.Content>
        </div>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
