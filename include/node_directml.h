/*
 * GPU memory that node-directml shares with other native addons, for C and C++. It passes through JavaScript as externals:
 * values that only native code can look into, by the functions below.
 *
 *   device.native, buffer.native          externals of node-directml, which your addon reads
 *   device.importTexture({ external })    takes a COM object of your addon; so do importBuffer and importFence
 *
 * Lifetime: an external holds a reference to each of its COM objects until JavaScript has collected it. A function that reads
 * an external adds none: AddRef what you keep after your native method has returned.
 *
 * Order: node-directml executes its commands on `command_queue`. Your queue and this one run at the same time, so order them
 * with a fence: device.importFence, device.waitFor, device.signal. Buffers and textures must be in D3D12_RESOURCE_STATE_COMMON
 * between the command lists of both sides. Buffers return to that state by themselves.
 *
 * Compatibility: an addon compiled against this header works with every later version of node-directml. Versions only add
 * fields at the end of a struct. `version` and `struct_size` say which fields a struct has, and the functions return
 * napi_invalid_arg for a struct that lacks the fields of this header.
 */
#ifndef NODE_DIRECTML_H_
#define NODE_DIRECTML_H_

#include <node_api.h>
#include <stdint.h>
#include <stdlib.h>
#include <unknwn.h>

#define NODE_DIRECTML_VERSION 1

typedef struct ID3D12Device ID3D12Device;
typedef struct ID3D12CommandQueue ID3D12CommandQueue;
typedef struct ID3D12Resource ID3D12Resource;
typedef struct IDMLDevice IDMLDevice;

/* What device.native holds. */
typedef struct node_directml_device {
  uint32_t version;
  uint32_t struct_size;
  ID3D12Device* d3d12_device;
  /* A compute queue. It may be used on any thread. */
  ID3D12CommandQueue* command_queue;
  IDMLDevice* dml_device;
} node_directml_device;

/* What buffer.native holds: the bytes from `offset` up to, not including, `offset + size_in_bytes`. */
typedef struct node_directml_buffer {
  uint32_t version;
  uint32_t struct_size;
  ID3D12Resource* resource;
  uint64_t offset;
  uint64_t size_in_bytes;
} node_directml_buffer;

/* A texture, a buffer or a fence that an addon hands to node-directml. */
typedef struct node_directml_com_object {
  uint32_t version;
  uint32_t struct_size;
  IUnknown* object;
} node_directml_com_object;

static const napi_type_tag node_directml_device_tag = {0x4e44d14cde71ce00, 0x9f0c2a6de1b84357};
static const napi_type_tag node_directml_buffer_tag = {0x4e44d14cb0ffe200, 0xa6d75c1fb0943e82};
static const napi_type_tag node_directml_com_object_tag = {0x4e44d14cc0b1ec00, 0xb81e4f96a2d75c03};

#ifdef __cplusplus
#define NODE_DIRECTML_CALL_(object, method) (object)->method()
#else
#define NODE_DIRECTML_CALL_(object, method) (object)->lpVtbl->method(object)
#endif

/* Called when JavaScript has collected an external: `data` is its struct, `hint` the number of COM objects in it. */
static inline void node_directml_free_(napi_env env, void* data, void* hint) {
  IUnknown** const objects = (IUnknown**)((char*)data + 2 * sizeof(uint32_t));
  size_t i;
  (void)env;
  for (i = 0; i < (size_t)(uintptr_t)hint; ++i) {
    if (objects[i] != NULL) NODE_DIRECTML_CALL_(objects[i], Release);
  }
  free(data);
}

/* Copies the struct into a new external, and adds a reference to each of the COM objects, which are its first pointers. */
static inline napi_status node_directml_wrap_(napi_env env, const void* values, size_t size, size_t object_count,
                                              const napi_type_tag* tag, napi_value* result) {
  char* const data = (char*)malloc(size);
  IUnknown** objects;
  napi_status status;
  size_t i;
  if (data == NULL) return napi_generic_failure;
  objects = (IUnknown**)(data + 2 * sizeof(uint32_t));
  for (i = 0; i < size; ++i) data[i] = ((const char*)values)[i];
  status = napi_create_external(env, data, node_directml_free_, (void*)(uintptr_t)object_count, result);
  if (status != napi_ok) {
    free(data);
    return status;
  }
  for (i = 0; i < object_count; ++i) {
    if (objects[i] != NULL) NODE_DIRECTML_CALL_(objects[i], AddRef);
  }
  return napi_type_tag_object(env, *result, tag);
}

static inline napi_status node_directml_read_(napi_env env, napi_value external, const napi_type_tag* tag, size_t size,
                                              void** result) {
  napi_valuetype type;
  napi_status status = napi_typeof(env, external, &type);
  bool has_tag = false;
  void* data = NULL;
  if (status != napi_ok) return status;
  if (type != napi_external) return napi_invalid_arg;
  status = napi_check_object_type_tag(env, external, tag, &has_tag);
  if (status != napi_ok) return status;
  if (!has_tag) return napi_invalid_arg;
  status = napi_get_value_external(env, external, &data);
  if (status != napi_ok) return status;
  if (data == NULL || ((uint32_t*)data)[0] < 1 || ((uint32_t*)data)[1] < size) return napi_invalid_arg;
  *result = data;
  return napi_ok;
}

/* Makes an external of a texture, a buffer or a fence, for importTexture, importBuffer and importFence. Adds a reference. */
static inline napi_status node_directml_wrap_com_object(napi_env env, IUnknown* object, napi_value* result) {
  node_directml_com_object values;
  values.version = NODE_DIRECTML_VERSION;
  values.struct_size = sizeof(values);
  values.object = object;
  if (object == NULL) return napi_invalid_arg;
  return node_directml_wrap_(env, &values, sizeof(values), 1, &node_directml_com_object_tag, result);
}

/* Reads device.native. Returns napi_invalid_arg for any other value. The struct lives as long as the external. */
static inline napi_status node_directml_get_device(napi_env env, napi_value external,
                                                   const node_directml_device** result) {
  return node_directml_read_(env, external, &node_directml_device_tag, sizeof(node_directml_device), (void**)result);
}

/* Reads buffer.native. Returns napi_invalid_arg for any other value. The struct lives as long as the external. */
static inline napi_status node_directml_get_buffer(napi_env env, napi_value external,
                                                   const node_directml_buffer** result) {
  return node_directml_read_(env, external, &node_directml_buffer_tag, sizeof(node_directml_buffer), (void**)result);
}

/* Reads what node_directml_wrap_com_object made. Returns napi_invalid_arg for any other value. */
static inline napi_status node_directml_get_com_object(napi_env env, napi_value external, IUnknown** result) {
  void* data = NULL;
  const napi_status status =
      node_directml_read_(env, external, &node_directml_com_object_tag, sizeof(node_directml_com_object), &data);
  if (status != napi_ok) return status;
  *result = ((node_directml_com_object*)data)->object;
  return *result == NULL ? napi_invalid_arg : napi_ok;
}

#endif /* NODE_DIRECTML_H_ */
