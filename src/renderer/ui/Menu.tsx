import { DropdownMenu as Primitive } from 'radix-ui';
import { type ReactNode, useState } from 'react';

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

/** A menu at a button. Not modal: the modal kind would inject a style element, which the content policy does not allow. */
export function Menu({ trigger, children, align = 'end' }: MenuProps) {
  // Asked for when it opens: the element that stood there at an earlier render may have been replaced.
  const [container, setContainer] = useState<HTMLElement | null>(null);
  return (
    <Primitive.Root modal={false} onOpenChange={(open) => open && setContainer(landmark())}>
      <Primitive.Trigger asChild>{trigger}</Primitive.Trigger>
      <Primitive.Portal container={container}>
        <Primitive.Content
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

export interface MenuItemProps {
  readonly onSelect?: () => void;
  readonly children: ReactNode;
  /** The item is the single link among its children. */
  readonly asChild?: boolean;
  readonly disabled?: boolean;
}

/** One thing to do, or a link. */
export function MenuItem({ onSelect, children, asChild = false, disabled = false }: MenuItemProps) {
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
  return <Primitive.Label className="menu__label">{children}</Primitive.Label>;
}

/** A line between groups. */
export function MenuLine() {
  return <Primitive.Separator className="menu__line" />;
}
