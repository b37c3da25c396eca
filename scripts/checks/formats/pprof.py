# The messages of a profile for pprof, as Google's own library reads them.

import google.protobuf.descriptor_pb2
import google.protobuf.descriptor_pool
import google.protobuf.message_factory

# profile.proto of github.com/google/pprof: the messages' fields with their numbers, * for repeated.
PPROF = {
    "Profile": {
        "*sample_type": (1, "ValueType"), "*sample": (2, "Sample"), "*mapping": (3, "Mapping"), "*location": (4, "Location"),
        "*function": (5, "Function"), "*string_table": (6, "string"), "drop_frames": (7, "int64"), "keep_frames": (8, "int64"),
        "time_nanos": (9, "int64"), "duration_nanos": (10, "int64"), "period_type": (11, "ValueType"), "period": (12, "int64"),
        "*comment": (13, "int64"), "default_sample_type": (14, "int64"),
    },
    "ValueType": {"type": (1, "int64"), "unit": (2, "int64")},
    "Sample": {"*location_id": (1, "uint64"), "*value": (2, "int64"), "*label": (3, "Label")},
    "Label": {"key": (1, "int64"), "str": (2, "int64"), "num": (3, "int64"), "num_unit": (4, "int64")},
    "Mapping": {
        "id": (1, "uint64"), "memory_start": (2, "uint64"), "memory_limit": (3, "uint64"), "file_offset": (4, "uint64"),
        "filename": (5, "int64"), "build_id": (6, "int64"), "has_functions": (7, "bool"), "has_filenames": (8, "bool"),
        "has_line_numbers": (9, "bool"), "has_inline_frames": (10, "bool"),
    },
    "Location": {
        "id": (1, "uint64"), "mapping_id": (2, "uint64"), "address": (3, "uint64"), "*line": (4, "Line"),
        "is_folded": (5, "bool"),
    },
    "Line": {"function_id": (1, "uint64"), "line": (2, "int64")},
    "Function": {
        "id": (1, "uint64"), "name": (2, "int64"), "system_name": (3, "int64"), "filename": (4, "int64"),
        "start_line": (5, "int64"),
    },
}


def message():
    """The class of a profile, made from the table above by Google's own library."""
    file = google.protobuf.descriptor_pb2.FileDescriptorProto(name="profile.proto", package="pprof", syntax="proto3")
    kinds = google.protobuf.descriptor_pb2.FieldDescriptorProto
    for name, fields in PPROF.items():
        entry = file.message_type.add(name=name)
        for field, (number, kind) in fields.items():
            added = entry.field.add(name=field.lstrip("*"), number=number)
            added.label = kinds.LABEL_REPEATED if field.startswith("*") else kinds.LABEL_OPTIONAL
            if kind in PPROF:
                added.type, added.type_name = kinds.TYPE_MESSAGE, ".pprof." + kind
            else:
                added.type = getattr(kinds, "TYPE_" + kind.upper())
    pool = google.protobuf.descriptor_pool.DescriptorPool()
    pool.Add(file)
    return google.protobuf.message_factory.GetMessageClass(pool.FindMessageTypeByName("pprof.Profile"))()
