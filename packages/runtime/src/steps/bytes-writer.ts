const pieceLength = 65_536;

export interface BytesWriter {
  readonly write: (text: string) => void;
  /** All that was written, as UTF-8. */
  readonly end: () => Buffer;
}

/** Gathers a long text that comes in bits: turning the whole of it into bytes at once would keep everybody waiting. */
export function createBytesWriter(onPiece?: (piece: Buffer) => void): BytesWriter {
  const pieces: Buffer[] = [];
  let text = '';
  const flush = () => {
    const piece = Buffer.from(text);
    pieces.push(piece);
    onPiece?.(piece);
    text = '';
  };
  return {
    write(more) {
      text += more;
      if (text.length >= pieceLength) flush();
    },
    end() {
      flush();
      return Buffer.concat(pieces);
    },
  };
}
