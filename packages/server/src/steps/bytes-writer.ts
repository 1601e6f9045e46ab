const pieceLength = 65_536;

export interface BytesWriter {
  readonly write: (text: string) => void;
  /** Returns everything written, as UTF-8. */
  readonly end: () => Buffer;
}

/** Returns a writer that encodes a long text in pieces: encoding it at once would block the event loop. */
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
