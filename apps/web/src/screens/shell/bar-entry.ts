/** Classes of an entry of the header bar that opens a menu or leads somewhere. */
export const BAR_ENTRY =
  'inline-flex h-8 items-center gap-1 rounded-md px-2 text-[13px] whitespace-nowrap max-xl:px-1.5 text-soft hover:bg-hover hover:text-text data-[status=active]:text-text';
