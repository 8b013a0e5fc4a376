interface ChooserProps {
  words: string;
  accept?: string;
  folder?: boolean;
  multiple?: boolean;
  onFiles: (files: FileList | null) => void;
}

/** A button that opens the system's own chooser. */
export function Chooser({ words, accept = "", folder = false, multiple = false, onFiles }: ChooserProps) {
  return (
    <label class="btn chooser">
      <input
        type="file"
        class="hidden"
        multiple={multiple}
        accept={accept}
        {...(folder ? { webkitdirectory: true } : {})}
        onChange={(event) => {
          onFiles(event.currentTarget.files);
          event.currentTarget.value = ""; // the same files may be chosen again once they are mended
        }}
      />
      <span>{words}</span>
    </label>
  );
}
