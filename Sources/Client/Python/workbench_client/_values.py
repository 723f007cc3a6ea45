"""Values of Workbench: records, tables, pictures and arrays, from and to the JSON of the protocol.

pandas and numpy are used if the caller asks for them; nothing here needs them.
"""
import array
import base64
import datetime
import decimal
import html
import math
import os
import struct
import sys
import zlib

#: Rows of a table that a notebook shows; the others are counted.
SHOWN_ROWS = 60
#: Rows of a table that `print` shows.
PRINTED_ROWS = 20


class Record(dict):
    """Named values: `record.objective` and `record["objective"]` are the same.

    Names that dictionaries use themselves, such as `items`, need the second form. `type_name` is Workbench's name for
    the kind of record, or None.
    """

    __slots__ = ("type_name",)

    def __init__(self, *fields, **named):
        super().__init__(*fields, **named)
        self.type_name = None

    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"the record has no field '{name}'; it has {', '.join(map(str, self))}") from None

    def __dir__(self):
        return [*super().__dir__(), *(name for name in self if isinstance(name, str) and name.isidentifier())]

    def __reduce__(self):
        return Record, (dict(self),)

    def to_pandas(self):
        """Returns a Series of the fields.

        If exactly one field is a table, a list of records or a record, it is that one's, and the other fields are in
        `attrs`: `fba(…).to_pandas()` has the fluxes.
        """
        inner = [name for name, value in self.items() if isinstance(value, (Record, Records, Table))]
        if len(inner) != 1:
            return _pandas().Series(dict(self), dtype=None if self else object)
        result = self[inner[0]].to_pandas()
        result.attrs.update({name: value for name, value in self.items() if name != inner[0]})
        if hasattr(result, "to_frame"):
            result.name = inner[0]
        return result

    def _repr_html_(self):
        rows = "".join(f"<tr><th>{_escaped(name)}</th><td>{_cell(value)}</td></tr>" for name, value in self.items())
        return f"<table>{rows}</table>"


class Records(list):
    """A list of records, with the fields of the first one as columns."""

    @property
    def columns(self):
        """The names of all fields, in the order in which they first come."""
        return list(dict.fromkeys(name for record in self for name in record))

    def to_pandas(self):
        """Returns a DataFrame with a row for each record."""
        return _pandas().DataFrame([dict(record) for record in self], columns=self.columns)

    def _repr_html_(self):
        names = self.columns
        rows = [[record.get(name) for name in names] for record in self[:SHOWN_ROWS]]
        return _html_table([(name, None) for name in names], rows, len(self))


class Column:
    """A column of a table: `name`, `title`, `unit` or None, `decimals` to show or None, and the list `values`."""

    __slots__ = ("name", "title", "unit", "kind", "decimals", "values")

    def __init__(self, name, values, title=None, unit=None, kind="values", decimals=None):
        self.name, self.values, self.title = name, values, title or name
        self.unit, self.kind, self.decimals = unit, kind, decimals

    def __repr__(self):
        return f"<Column {self.name}{f' ({self.unit})' if self.unit else ''}: {len(self.values)} values>"


class Table:
    """A table: `table[0]` is a row, `table["name"]` the values of a column, and a loop goes over the rows."""

    def __init__(self, columns, type_name=None):
        self._columns = {column.name: column for column in columns}
        self.type_name = type_name

    @property
    def columns(self):
        """The names of the columns."""
        return list(self._columns)

    @property
    def units(self):
        """The units of the columns that have one, by name."""
        return {column.name: column.unit for column in self._columns.values() if column.unit}

    def column(self, name):
        """Returns a column with its title and unit."""
        return self._columns[name]

    def __len__(self):
        return next((len(column.values) for column in self._columns.values()), 0)

    def __iter__(self):
        names = self.columns
        return (Record(zip(names, row)) for row in self._rows())

    def __getitem__(self, key):
        if isinstance(key, str):
            return self._columns[key].values
        if isinstance(key, slice):
            return Table([Column(column.name, column.values[key], column.title, column.unit, column.kind,
                                 column.decimals) for column in self._columns.values()], self.type_name)
        return Record((name, column.values[key]) for name, column in self._columns.items())

    def __eq__(self, other):
        return isinstance(other, Table) and self.columns == other.columns and list(self._rows()) == list(other._rows())

    __hash__ = None  # type: ignore[assignment]

    def _rows(self, count=None):
        return zip(*(column.values[:count] for column in self._columns.values()))

    def to_dict(self):
        """Returns the values of each column by name."""
        return {name: list(column.values) for name, column in self._columns.items()}

    def to_pandas(self):
        """Returns a DataFrame; `attrs["units"]` has the units of its columns."""
        pandas = _pandas()
        columns = {}
        for name, column in self._columns.items():
            values = column.values
            is_whole = column.kind == "values" and any(type(value) is int for value in values) and all(
                value is None or type(value) is int for value in values)
            kind = {"integers": "int64", "numbers": "float64", "texts": object}.get(column.kind)
            if not values:
                kind = kind or object
            columns[name] = pandas.Series(values, dtype="Int64" if is_whole else kind)
        frame = pandas.DataFrame(columns)
        frame.attrs["units"] = self.units
        return frame

    def __repr__(self):
        rows = [[_text(value, column.decimals) for value, column in zip(row, self._columns.values())]
                for row in self._rows(PRINTED_ROWS)]
        widths = [max([len(name), *(len(row[index]) for row in rows)]) for index, name in enumerate(self.columns)]
        lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip()
                 for row in [self.columns, *rows]]
        if len(self) > PRINTED_ROWS:
            lines.append(f"… {len(self)} rows")
        return "\n".join(lines)

    def _repr_html_(self):
        columns = list(self._columns.values())
        heads = [(column.title, column.unit) for column in columns]
        rows = [[_Shown(value, column.decimals) for value, column in zip(row, columns)]
                for row in self._rows(SHOWN_ROWS)]
        return _html_table(heads, rows, len(self))


class Picture:
    """A picture: `width`, `height`, and `pixels`, RGBA bytes row by row from the top left."""

    def __init__(self, width, height, pixels):
        if width < 0 or height < 0 or len(pixels) != 4 * width * height:
            raise ValueError(f"a picture of {width} × {height} has {4 * width * height} bytes, not {len(pixels)}")
        self.width, self.height, self.pixels = width, height, pixels

    def __repr__(self):
        return f"<Picture {self.width} × {self.height}>"

    def __eq__(self, other):
        return isinstance(other, Picture) and (self.width, self.pixels) == (other.width, other.pixels)

    __hash__ = None  # type: ignore[assignment]

    def png(self):
        """Returns the picture as the bytes of a PNG file."""
        stride = 4 * self.width
        rows = b"".join(b"\0" + self.pixels[start:start + stride] for start in range(0, len(self.pixels), stride or 1))
        header = struct.pack(">IIBBBBB", self.width, self.height, 8, 6, 0, 0, 0)
        return b"\x89PNG\r\n\x1a\n" + b"".join(
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
            for kind, data in ((b"IHDR", header), (b"IDAT", zlib.compress(rows, 6)), (b"IEND", b"")))

    def save(self, path):
        """Writes the picture to a PNG file."""
        if os.path.splitext(os.fspath(path))[1].lower() != ".png":
            raise ValueError(f"'{os.fspath(path)}' does not end with .png")
        with open(path, "wb") as file:
            file.write(self.png())

    def to_numpy(self):
        """Returns an array of height × width × 4 bytes."""
        import numpy
        return numpy.frombuffer(self.pixels, dtype=numpy.uint8).reshape(self.height, self.width, 4)

    def _repr_png_(self):
        return self.png() if self.width and self.height else None


class Array:
    """Numbers of one type in rows, `shape` numbers along each axis; the last axis comes first in memory."""

    _CODES = {"int8": "b", "int16": "h", "int32": "i", "int64": "q", "uint8": "B", "uint16": "H", "uint32": "I",
              "uint64": "Q", "float32": "f", "float64": "d"}

    def __init__(self, type, shape, data):
        size = array.array(self._CODES[type]).itemsize
        if len(data) != size * math.prod(shape):
            raise ValueError(f"an array of {shape} has {math.prod(shape)} numbers, not {len(data) / size}")
        self.type, self.shape, self.data = type, tuple(shape), data

    def __repr__(self):
        return f"<Array {' × '.join(map(str, self.shape))} of {self.type}>"

    def tolist(self):
        """Returns the numbers as nested lists."""
        numbers = array.array(self._CODES[self.type], self.data)
        if sys.byteorder == "big":
            numbers.byteswap()
        values = numbers.tolist()
        for length in reversed(self.shape[1:]):
            values = [values[start:start + length] for start in range(0, len(values), length)] if length else []
        return values

    def to_numpy(self):
        """Returns an array of numpy."""
        import numpy
        return numpy.frombuffer(self.data, dtype=numpy.dtype(self.type).newbyteorder("<")).reshape(self.shape)

    def __array__(self, dtype=None, copy=None):
        numbers = self.to_numpy()
        return numbers if dtype is None else numbers.astype(dtype)


class Quantity(float):
    """A number with a unit."""

    def __new__(cls, value, unit):
        self = super().__new__(cls, value)
        self.unit = unit
        return self

    def __reduce__(self):
        return Quantity, (float(self), self.unit)

    def __str__(self):
        return f"{float(self)} {self.unit}"

    def __repr__(self):
        return f"Quantity({float(self)}, {self.unit!r})"


# From JSON


def from_wire(value):
    """Returns the value that JSON of the protocol stands for."""
    if isinstance(value, list):
        elements = [from_wire(element) for element in value]
        return Records(elements) if elements and all(type(element) is Record for element in elements) else elements
    if not isinstance(value, dict):
        return value
    kind = next(iter(value), "")
    if not kind.startswith("$"):
        return Record((name, from_wire(field)) for name, field in value.items())
    if kind in ("$type", "$value"):
        result = from_wire(value["$value"])
        if isinstance(result, (Record, Table)):
            result.type_name = value.get("$type")
        return result
    return _KINDS.get(kind, lambda content: content)(value[kind])


def _date(text):
    try:
        return datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))
    except ValueError:  # a year that Python does not have
        return text


def _table(columns):
    return Table([Column(column["name"], _column(column), column.get("title"), column.get("unit"),
                         column.get("kind", "values"), column.get("decimals")) for column in columns])


def _column(column):
    if column.get("kind") in ("integers", "texts"):
        return column["values"]
    if column.get("kind") == "numbers":
        return [math.nan if value is None else from_wire(value) for value in column["values"]]
    return [from_wire(value) for value in column["values"]]


def _picture(content):
    return Picture(content["width"], content["height"], base64.b64decode(content["pixels"]))


def _array(content):
    return Array(content["type"], content["shape"], base64.b64decode(content["data"]))


_KINDS = {
    "$number": float, "$bytes": base64.b64decode, "$decimal": decimal.Decimal, "$date": _date, "$table": _table,
    "$picture": _picture, "$array": _array, "$quantity": lambda content: Quantity(from_wire(content[0]), content[1]),
    "$record": lambda content: Record((name, from_wire(field)) for name, field in content),
}


def joined(parts):
    """Returns the values of a streaming command as one: parts of a table or list are put together."""
    if not parts:
        return []
    if all(isinstance(part, Table) for part in parts):
        first = parts[0]
        if any(part.columns != first.columns for part in parts):
            return Records(row for part in parts for row in part)
        columns = []
        for name in first.columns:
            own = [part.column(name) for part in parts]
            kind = own[0].kind if len({column.kind for column in own}) == 1 else "values"
            values = [value for column in own for value in column.values]
            columns.append(Column(name, values, own[0].title, own[0].unit, kind, own[0].decimals))
        return Table(columns, first.type_name)
    if all(isinstance(part, list) for part in parts):
        parts = [element for part in parts for element in part]
    return Records(parts) if all(type(part) is Record for part in parts) else parts


# To JSON


def to_wire(value):
    """Returns a value as JSON of the protocol; paths become absolute."""
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, Quantity):
        return {"$quantity": [float(value), value.unit]}
    if isinstance(value, float):
        return value if math.isfinite(value) else {"$number": str(value)}
    if isinstance(value, os.PathLike):
        return os.path.abspath(os.fspath(value))
    if isinstance(value, dict):
        fields = {str(name): to_wire(field) for name, field in value.items()}
        return {"$record": list(map(list, fields.items()))} if next(iter(fields), "").startswith("$") else fields
    if isinstance(value, (bytes, bytearray)):
        return {"$bytes": base64.b64encode(value).decode()}
    if isinstance(value, datetime.datetime):
        value = value.astimezone(datetime.timezone.utc).replace(tzinfo=None)
        return {"$date": value.isoformat(timespec="milliseconds") + "Z"}
    if isinstance(value, datetime.date):
        return value.isoformat()
    if isinstance(value, decimal.Decimal):
        return {"$decimal": format(value, "f")}
    if isinstance(value, Table):
        return {"$table": [{"name": column.name, "title": column.title, "unit": column.unit, "kind": "values",
                            "decimals": column.decimals, "values": [to_wire(element) for element in column.values]}
                           for column in map(value.column, value.columns)]}
    if isinstance(value, Picture):
        pixels = base64.b64encode(value.pixels).decode()
        return {"$picture": {"width": value.width, "height": value.height, "pixels": pixels}}
    if isinstance(value, Array):
        data = base64.b64encode(value.data).decode()
        return {"$array": {"type": value.type, "shape": list(value.shape), "data": data}}
    if hasattr(value, "tolist"):  # arrays and numbers of numpy, series of pandas
        return to_wire(value.tolist())
    return [to_wire(element) for element in value]


# Texts


class _Shown:
    """A value with the number of its decimals."""

    def __init__(self, value, decimals):
        self.value, self.decimals = value, decimals


def _text(value, decimals=None):
    if value is None or isinstance(value, float) and math.isnan(value):
        return ""
    if isinstance(value, float) and not isinstance(value, Quantity):
        return f"{value:.6g}" if decimals is None else f"{value:.{decimals}f}"
    return str(value)


def _escaped(value):
    return html.escape(str(value))


def _cell(value):
    if isinstance(value, _Shown):
        return _escaped(_text(value.value, value.decimals))
    if isinstance(value, (Record, Records, Table)):
        return value._repr_html_()
    return _escaped(_text(value))


def _html_table(heads, rows, count):
    head = "".join(f"<th>{_escaped(title)}{f' ({_escaped(unit)})' if unit else ''}</th>" for title, unit in heads)
    body = "".join("<tr>" + "".join(f"<td>{_cell(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    note = f"<p>{count} rows; the first {len(rows)} are shown</p>" if count > len(rows) else ""
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{note}"


def _pandas():
    try:
        import pandas
    except ImportError:
        raise ImportError("to_pandas needs pandas: pip install pandas") from None
    return pandas
