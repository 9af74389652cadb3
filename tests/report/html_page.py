"""A page as a browser sees it: elements, their attributes and text, for the report's tests."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = frozenset({"meta", "br", "input", "hr"})
ELEMENTS = frozenset(
    """html head meta title style body a header main section footer article nav div p span b h1 h2
    h3 h4 h5 h6 ul ol li dl dt dd table caption thead tbody tfoot tr th td details summary pre code
    blockquote figure figcaption em strong br svg symbol path pattern rect text use
    math mrow mi mn mo mtext msub msup msubsup munder mover munderover mfrac msqrt mspace mtable
    mtr mtd""".split()
)
ATTRIBUTES = frozenset(
    """lang charset http-equiv content name class id href tabindex role scope aria-label
    aria-labelledby aria-hidden width height x y d viewbox patternunits patterntransform alttext
    display displaystyle""".split()
)


@dataclass(eq=False)
class Element:
    """An element with its children in order, text among them."""

    tag: str
    attributes: dict[str, str | None]
    children: list[Element | str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join(c if isinstance(c, str) else c.text for c in self.children)

    def all(self, *tags: str, **attributes: str) -> list[Element]:
        found = []
        for child in self.children:
            if isinstance(child, Element):
                wanted = all(child.attributes.get(k.strip("_")) == v for k, v in attributes.items())
                if (not tags or child.tag in tags) and wanted:
                    found.append(child)
                found += child.all(*tags, **attributes)
        return found

    def one(self, *tags: str, **attributes: str) -> Element:
        (found,) = self.all(*tags, **attributes)
        return found

    @property
    def shape(self) -> tuple[object, ...]:
        """Tags and names of attributes, without text and values."""
        inner = tuple(c.shape for c in self.children if isinstance(c, Element))
        return (self.tag, *self.attributes, *inner)


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Element("", {})
        self._open = [self.root]
        self.declarations: list[str] = []

    def handle_decl(self, decl: str) -> None:
        self.declarations.append(decl)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len(attrs) == len(dict(attrs)), f"an attribute twice in <{tag}>"
        element = Element(tag, dict(attrs))
        self._open[-1].children.append(element)
        if tag not in VOID:
            self._open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._open[-1].children.append(Element(tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop().tag == tag, f"</{tag}> closes nothing"

    def handle_data(self, data: str) -> None:
        self._open[-1].children.append(data)

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"a comment: {data!r}")

    def handle_pi(self, data: str) -> None:
        raise AssertionError(f"a processing instruction: {data!r}")

    def unknown_decl(self, data: str) -> None:
        raise AssertionError(f"a declaration: {data!r}")


def read(html: str) -> Element:
    """Parse a page; every element must be closed in order, and nothing but elements occur."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    assert reader.declarations == ["doctype html"]
    (document,) = (c for c in reader.root.children if isinstance(c, Element))
    return document
