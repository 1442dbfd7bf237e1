import { Slot } from 'radix-ui';
import { type ReactNode, startTransition, useRef, useState } from 'react';
import { later, useLater } from './later.tsx';
import { useOpenLayer } from './layers.ts';
import { useOverlay } from './useOverlay.ts';

const menuCode = later(async () => (await import('./menuCode.ts')).DropdownMenu);
type MenuCode = NonNullable<ReturnType<typeof menuCode.get>>;

export interface MenuProps {
  /** A button, with its accessible name. */
  readonly trigger: ReactNode;
  readonly children: ReactNode;
  readonly align?: 'start' | 'end';
}

/** Menus stand within the page's main landmark. */
function landmark(): HTMLElement | null {
  return document.getElementById('content');
}

/** What was chosen may have opened something that took the focus: it keeps it. */
function keepFocus(event: Event): void {
  const { activeElement, body } = document;
  if (activeElement !== null && activeElement !== body) event.preventDefault();
}

interface LoadedMenuProps extends Required<MenuProps> {
  readonly code: MenuCode;
  readonly isByKey: boolean;
}

function LoadedMenu({ code: Primitive, isByKey, trigger, children, align }: LoadedMenuProps) {
  // Asked for when it opens: the element that stood there at an earlier render may have been replaced.
  const [container, setContainer] = useState(landmark);
  const [isOpen, setOpen] = useState(true);
  useOpenLayer('menus', isOpen);
  // The key was pressed before the menu was there to see it; later ones are the menu's own to follow.
  const isFirst = useRef(isByKey);
  const first = (content: HTMLElement | null) => {
    if (content !== null && isFirst.current) content.querySelector<HTMLElement>('[role="menuitem"]')?.focus();
    if (content !== null) isFirst.current = false;
  };
  const change = (open: boolean) =>
    startTransition(() => {
      setOpen(open);
      if (open) setContainer(landmark());
    });
  return (
    <Primitive.Root modal={false} open={isOpen} onOpenChange={change}>
      <Primitive.Trigger asChild>{trigger}</Primitive.Trigger>
      <Primitive.Portal container={container}>
        <Primitive.Content
          ref={first}
          className="menu"
          align={align}
          sideOffset={4}
          collisionPadding={8}
          loop
          onCloseAutoFocus={keepFocus}
        >
          {children}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}

/** A menu at a button. Not modal: the modal kind would inject a style element, which the content policy does not allow. */
export function Menu({ trigger, children, align = 'end' }: MenuProps) {
  const overlay = useOverlay(menuCode);
  if (overlay.code === null) {
    return (
      <Slot.Root aria-haspopup="menu" {...overlay.trigger}>
        {trigger}
      </Slot.Root>
    );
  }
  return (
    <LoadedMenu code={overlay.code} isByKey={overlay.isByKey} trigger={trigger} align={align}>
      {children}
    </LoadedMenu>
  );
}

export interface MenuItemProps {
  readonly onSelect?: () => void;
  readonly children: ReactNode;
  /** The item is the single link among its children. */
  readonly asChild?: boolean;
  readonly disabled?: boolean;
}

/** One thing to do, or a link. */
export function MenuItem({ onSelect, children, asChild = false, disabled = false }: MenuItemProps) {
  const Primitive = useLater(menuCode);
  if (Primitive === null) return null;
  return (
    <Primitive.Item
      className="menu__item"
      asChild={asChild}
      disabled={disabled}
      {...(onSelect === undefined ? {} : { onSelect })}
    >
      {children}
    </Primitive.Item>
  );
}

/** A menu within the menu. */
export function Submenu({ label, children }: { readonly label: ReactNode; readonly children: ReactNode }) {
  const Primitive = useLater(menuCode);
  if (Primitive === null) return null;
  return (
    <Primitive.Sub>
      <Primitive.SubTrigger className="menu__item">{label}</Primitive.SubTrigger>
      <Primitive.Portal container={landmark()}>
        <Primitive.SubContent className="menu" sideOffset={4} collisionPadding={8} loop>
          {children}
        </Primitive.SubContent>
      </Primitive.Portal>
    </Primitive.Sub>
  );
}

/** A heading within a menu. */
export function MenuLabel({ children }: { readonly children: ReactNode }) {
  const Primitive = useLater(menuCode);
  return Primitive === null ? null : <Primitive.Label className="menu__label">{children}</Primitive.Label>;
}

/** A line between groups. */
export function MenuLine() {
  const Primitive = useLater(menuCode);
  return Primitive === null ? null : <Primitive.Separator className="menu__line" />;
}
